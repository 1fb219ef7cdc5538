import type { ExampleRequests } from '../described/example-requests.js';

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
  const one = { values: { id: examples.useIdOf('createBroadcast', 201, await send('createBroadcast', 'draft')) } };
  await send('createBroadcast', 'scheduled');
  for (const name of ['subject', 'slowly']) await send('updateBroadcast', name, one);
  await send('listBroadcasts');
  for (const name of ['getBroadcast', 'getAudienceHealth', 'getBroadcastProgress', 'listBroadcastClickedLinks'])
    await send(name, undefined, one);
  await send('listBroadcastRecipients', undefined, { ...one, without: ['after', 'before', 'bounce_type'] });
  await send('getBroadcastMetrics');
  await send('previewBroadcast', 'contact', one);
  await send('testBroadcast', 'two', one);
  const copy = { values: { id: (await send('duplicateBroadcast', undefined, one)).id as string } };
  await send('deleteBroadcast', undefined, copy);
  await send('sendBroadcast', 'later', one);
  await send('cancelBroadcast', undefined, one);
  await send('sendBroadcast', 'now', one);
  for (const name of ['pauseBroadcast', 'resumeBroadcast', 'cancelBroadcast']) await send(name, undefined, one);
}
