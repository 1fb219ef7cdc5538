import type { ExampleRequests } from '../described/example-requests.js';

/** Sends the examples of inboxes. `acme.example` must receive. */
export async function sendInboxExamples(send: ExampleRequests['send']): Promise<void> {
  const { id } = await send('createInbox', 'support');
  await send('createInbox', 'forwarded');
  const inbox = { inbox: id as string };
  for (const name of ['listInboxes', 'getInbox', 'getInboxAgent']) await send(name, undefined, { values: inbox });
  await send('updateInbox', 'name', { values: inbox });
  for (const name of ['drafts', 'off']) await send('updateInboxAgent', name, { values: inbox });
  const label = await send('createInboxLabel', 'urgent', { values: inbox });
  const values = { ...inbox, id: label.id as string };
  await send('listInboxLabels', undefined, { values });
  await send('updateInboxLabel', 'color', { values });
  await send('removeInboxLabel', undefined, { values });
  for (const name of ['listInboxThreads', 'searchInboxThreads']) await send(name, undefined, { values: inbox });
  await send('removeInbox', undefined, { values: inbox });
}

/** Examples that need a thread: test/e2e/inbox-threads sends them. */
export const examplesOfThreads = [
  ...['getInboxThread ', 'updateInboxThread archive', 'removeInboxThread ', 'addInboxThreadLabels add'],
  ...['replaceInboxThreadLabels none', 'removeInboxThreadLabel ', 'listInboxThreadEmails ', 'getInboxThreadEmail '],
];
