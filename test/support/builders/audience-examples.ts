import { sendBroadcastExamples } from './broadcast-examples.js';
import type { ExampleRequests } from '../described/example-requests.js';

/** Sends the examples of the audience, of broadcasts and of privacy, in an order in which each finds what it names. */
export async function sendAudienceExamples(examples: ExampleRequests): Promise<void> {
  const send: ExampleRequests['send'] = (...request) => examples.send(...request);
  const segment = { values: { id: examples.useIdOf('createSegment', 201, await send('createSegment', 'name')) } };
  const topic = { values: { id: examples.useIdOf('createTopic', 201, await send('createTopic', 'topic')) } };
  const property = {
    values: { id: examples.useIdOf('createContactProperty', 201, await send('createContactProperty', 'text')) },
  };
  await send('createContactProperty', 'number');
  const ofSegment = { values: { segmentId: segment.values.id } };
  for (const example of ['contact', 'groups']) await send('createContact', example);
  for (const name of ['listContacts', 'getContact', 'listContactSegments', 'listContactTopics', 'listContactHistory'])
    await send(name);
  for (const name of ['removeContactFromSegment', 'addContactToSegment']) await send(name, undefined, ofSegment);
  for (const example of ['unsubscribe', 'values']) await send('updateContact', example);
  await send('updateContactTopics', 'choices');
  await send('listSegmentContacts', undefined, segment);

  const legacy = { values: { audienceId: segment.values.id } };
  await send('createAudienceContact', 'contact', legacy);
  for (const name of ['listAudienceContacts', 'getAudienceContact']) await send(name, undefined, legacy);
  await send('updateAudienceContact', 'unsubscribe', legacy);
  await send('deleteAudienceContact', undefined, legacy);
  const audience = { values: { id: (await send('createAudience', 'name')).id as string } };
  await send('listAudiences');
  for (const name of ['getAudience', 'deleteAudience']) await send(name, undefined, audience);

  await sendBroadcastExamples(examples);
  await send('deleteContact');
  await send('exportPersonalData', 'address');
  const erasure = { values: { id: (await send('eraseAddress', 'address')).id as string } };
  await send('listErasures');
  await send('getErasure', undefined, erasure);

  await send('listSegments');
  await send('updateSegment', 'name', segment);
  for (const name of ['getSegment', 'deleteSegment']) await send(name, undefined, segment);
  await send('listTopics');
  await send('updateTopic', 'name', topic);
  for (const name of ['getTopic', 'deleteTopic']) await send(name, undefined, topic);
  await send('listContactProperties');
  await send('updateContactProperty', 'fallback', property);
  for (const name of ['getContactProperty', 'deleteContactProperty']) await send(name, undefined, property);
}
