import type { ExampleRequests } from './example-requests.js';

/** Sends the examples of broadcasts, whose domain is verified, in an order in which each finds what it names. */
export async function sendBroadcastExamples(examples: ExampleRequests): Promise<void> {
  const send: ExampleRequests['send'] = (...request) => examples.send(...request);
  const { id: segmentId } = await send('createSegment', 'name');
  const { segment_id: example } = examples.valueOf('createBroadcast', 'draft');
  examples.ownIds.set(example as string, segmentId as string);
  // Two contacts, so that a broadcast of one email an hour is not over.
  for (const name of ['contact', 'groups']) {
    const { id: contactId } = await send('createContact', name);
    await send('addContactToSegment', undefined, {
      values: { contactId: contactId as string, segmentId: segmentId as string },
    });
  }
  examples.useIdOf('createBroadcast', 201, await send('createBroadcast', 'draft'));
  await send('createBroadcast', 'scheduled');
  for (const name of ['subject', 'slowly']) await send('updateBroadcast', name);
  for (const name of ['listBroadcasts', 'getBroadcast', 'getBroadcastProgress', 'listBroadcastClickedLinks'])
    await send(name);
  await send('listBroadcastRecipients', undefined, { without: ['after', 'before', 'bounce_type'] });
  await send('getBroadcastMetrics');
  await send('previewBroadcast', 'contact');
  await send('testBroadcast', 'two');
  const copy = { values: { id: (await send('duplicateBroadcast')).id as string } };
  await send('deleteBroadcast', undefined, copy);
  await send('sendBroadcast', 'later');
  await send('cancelBroadcast');
  await send('sendBroadcast', 'now');
  for (const name of ['pauseBroadcast', 'resumeBroadcast', 'cancelBroadcast']) await send(name);
}
