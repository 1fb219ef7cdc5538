import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryInboxSending } from '../../../../test/support/fakes/in-memory-inboxes.js';
import { NewDraft } from './drafts.use-case.js';

let memory: InMemoryInboxSending;

beforeEach(() => {
  memory = new InMemoryInboxSending();
});

const content = {
  to: ['ada@customer.test'],
  cc: [],
  bcc: [],
  subject: 'Hi',
  html: null,
  text: 'Hello',
  attachments: [],
};
const create = (fields: Partial<NewDraft> = {}): Promise<string> =>
  memory.draftsUseCase.create(memory.principal, memory.inbox.id, { ...content, reply: undefined, ...fields });
const send = (draftId: string, headers = {}) =>
  memory.sendDraft.send(memory.principal, { inbox: memory.inbox.address, draftId }, headers);

it('a draft begins a thread, and the same email is meant when it is sent again', async () => {
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('Bytes') };
  const draftId = await create({ attachments: [file] });
  const { id } = await send(draftId, { 'X-Id': '1' });
  const email = await memory.sending.repository.find(id);
  expect(email).toMatchObject({ from: 'Support <support@acme.test>', headers: { 'X-Id': '1' }, subject: 'Hi' });
  expect(email?.attachments).toMatchObject([{ filename: 'a.txt', size: 5 }]);
  expect(memory.threads.emails.get(id)).toMatchObject({ direction: 'outbound', messageId: email?.messageId });
  expect(await memory.drafts.find(memory.inbox.id, draftId)).toMatchObject({ emailId: id });
  expect(await memory.drafts.files(draftId)).toEqual([]);
  expect(await send(draftId)).toEqual({ id });
  expect(memory.sending.queue.enqueued).toHaveLength(1);
  expect(memory.events.types).toEqual([
    'inbox.draft.created',
    'inbox.thread.created',
    'inbox.draft.sent',
    'inbox.email.sent',
  ]);
  expect(memory.events.committed.map(({ data }) => (data as { source: string }).source)).toEqual([
    'dashboard',
    'system',
    'dashboard',
    'dashboard',
  ]);
});

it('a draft that answers has the recipients and the subject of a reply', async () => {
  const { id: emailId, threadId } = memory.received();
  memory.originals.referencesById.set(emailId, ['<first@customer.test>']);
  const { id } = await send(await create({ to: null, subject: null, reply: { threadId, emailId } }));
  expect(await memory.sending.repository.find(id)).toMatchObject({
    to: ['ada@customer.test'],
    subject: 'Re: Question',
    headers: {
      'In-Reply-To': '<second@customer.test>',
      References: '<first@customer.test> <second@customer.test>',
    },
  });
  expect(memory.threads.emails.get(id)?.threadId).toBe(threadId);
  expect(memory.events.types).not.toContain('inbox.thread.created');
});

it('a draft that a quota refuses stays as it was', async () => {
  const draftId = await create();
  memory.sending.quotaError = new Error('No more');
  await expect(send(draftId)).rejects.toThrow('No more');
  expect(await memory.drafts.find(memory.inbox.id, draftId)).toMatchObject({ emailId: null });
  expect(memory.threads.emails.where(() => true)).toEqual([]);
  expect(memory.events.types).toEqual(['inbox.draft.created']);
});

it('a draft that is changed while it is sent is sent as it is then', async () => {
  const draftId = await create();
  const { drafts, inbox } = memory;
  const lock = drafts.lock.bind(drafts);
  drafts.lock = async (inboxId, id) => {
    const draft = await lock(inboxId, id);
    if (draft?.version === 1) drafts.rows.set({ ...draft, subject: 'Changed', version: 2 });
    return lock(inboxId, id);
  };
  const { id } = await send(draftId);
  expect(await memory.sending.repository.find(id)).toMatchObject({ subject: 'Changed' });
  expect(await drafts.find(inbox.id, draftId)).toMatchObject({ subject: 'Changed', emailId: id });
});

it('a draft that is changed again and again is refused', async () => {
  const draftId = await create();
  const { drafts } = memory;
  drafts.lock = async (inboxId, id) => {
    const draft = await drafts.find(inboxId, id);
    return draft && { ...draft, version: draft.version + 1 };
  };
  await expect(send(draftId)).rejects.toMatchObject({ kind: 'unavailable' });
});

it('refuses headers of the service, and drafts that are not there or not complete', async () => {
  const draftId = await create({ to: null });
  await expect(send(draftId, { REFERENCES: '<a@b>' })).rejects.toThrow('`REFERENCES`');
  await expect(send(draftId)).rejects.toThrow('Missing `to` field.');
  await expect(send(newId())).rejects.toThrow('Draft not found');
});
