import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryInboxSending } from '../../../../test/support/fakes/in-memory-inboxes.js';
import { maxDraftBodyBytes, maxFileBytes, maxOpenDrafts } from '../domain/draft.js';
import { NewDraft } from './drafts.use-case.js';

let memory: InMemoryInboxSending;
let key: string;

beforeEach(() => {
  memory = new InMemoryInboxSending();
  key = memory.inbox.address.toUpperCase();
});

const newDraft = (fields: Partial<NewDraft> = {}): NewDraft => ({
  to: null,
  cc: [],
  bcc: [],
  subject: null,
  html: null,
  text: 'Hello',
  attachments: [],
  reply: undefined,
  ...fields,
});
const create = (fields: Partial<NewDraft> = {}): Promise<string> =>
  memory.draftsUseCase.create(memory.principal, key, newDraft(fields));
const file = (size: number) => ({ filename: 'a', contentType: 'text/plain', content: Buffer.alloc(size) });

it('a draft is kept, changed and removed, and events tell of it', async () => {
  const id = await create({ subject: 'Hi', attachments: [file(5)] });
  await memory.draftsUseCase.change(memory.principal, memory.inbox.id, id, { subject: null, to: ['a@b.test'] });
  const draft = await memory.draftsUseCase.get(memory.principal, key, id);
  expect(draft).toMatchObject({
    subject: null,
    to: ['a@b.test'],
    text: 'Hello',
    version: 2,
    attachments: [{ size: 5 }],
  });
  await memory.draftsUseCase.change(memory.principal, key, id, { attachments: { uploads: [], keptIds: [] } });
  expect(await memory.drafts.files(id)).toEqual([]);
  const { items } = await memory.draftsUseCase.list(memory.principal, key, { limit: 10 });
  expect(items).toMatchObject([{ id, snippet: 'Hello' }]);
  await memory.draftsUseCase.remove(memory.principal, key, id);
  await expect(memory.draftsUseCase.get(memory.principal, key, id)).rejects.toThrow('Draft not found');
  const kinds = ['created', 'updated', 'updated', 'deleted'];
  expect(memory.events.types).toEqual(kinds.map((kind) => `inbox.draft.${kind}`));
  expect(memory.events.committed[0]?.data).toMatchObject({ source: 'dashboard', draft_id: id });
});

it('attachments that are linked are fetched at once', async () => {
  memory.sending.sources.byUrl.set('https://files.test/a', {
    content: Buffer.from('Bytes'),
    contentType: 'text/plain',
  });
  const id = await create({ attachments: [{ filename: 'a.txt', path: 'https://files.test/a' }] });
  const [kept] = await memory.drafts.files(id);
  expect(kept).toMatchObject({ filename: 'a.txt', contentType: 'text/plain', size: 5, content: Buffer.from('Bytes') });
});

it('a draft that answers needs an email of the inbox', async () => {
  const { id: emailId, threadId } = memory.received();
  await expect(create({ reply: { threadId: newId(), emailId } })).rejects.toThrow('Thread not found');
  await expect(create({ reply: { threadId, emailId: newId() } })).rejects.toThrow('Email not found');
  const id = await create({ reply: { threadId, emailId } });
  expect(await memory.drafts.find(memory.inbox.id, id)).toMatchObject({ threadId, replyToEmailId: emailId });
});

it('a request with a key is done once', async () => {
  const keyed = { key: 'k', fingerprint: Buffer.from('same') };
  const ids = [];
  for (let n = 0; n < 2; n++) {
    ids.push(await memory.draftsUseCase.create(memory.principal, key, newDraft(), keyed));
  }
  expect(new Set(ids).size).toBe(1);
  expect(memory.drafts.rows.where(() => true)).toHaveLength(1);
});

it('refuses what is too much, and changes nothing', async () => {
  await expect(create({ text: 'x'.repeat(maxDraftBodyBytes), html: 'x' })).rejects.toThrow('1 MB');
  await expect(create({ attachments: [file(maxFileBytes), file(1)] })).rejects.toThrow('25 MB');
  const id = await create();
  const tooLong = memory.draftsUseCase.change(memory.principal, key, id, { html: 'x'.repeat(maxDraftBodyBytes) });
  await expect(tooLong).rejects.toThrow('1 MB');
  const { inbox, drafts } = memory;
  const [draft] = drafts.rows.where(() => true);
  for (let n = 1; n < maxOpenDrafts; n++) drafts.rows.set({ ...(draft as NonNullable<typeof draft>), id: newId() });
  await expect(create()).rejects.toThrow('2000 drafts');
  expect(await drafts.find(inbox.id, id)).toMatchObject({ version: 1, html: null });
});

it('the attachments of all drafts of a team are limited', async () => {
  for (let n = 0; n < 20; n++) await create({ attachments: [file(maxFileBytes)] });
  await expect(create({ attachments: [file(1)] })).rejects.toThrow('500 MB');
  expect(memory.drafts.rows.where(() => true)).toHaveLength(20);
  const id = await create();
  const change = memory.draftsUseCase.change(memory.principal, key, id, {
    attachments: { uploads: [file(1)], keptIds: [] },
  });
  await expect(change).rejects.toThrow('500 MB');
});

it('a draft that was sent cannot be changed, and is not listed', async () => {
  const id = await create({ to: ['ada@customer.test'], subject: 'Hi' });
  await memory.sendDraft.send(memory.principal, { inbox: key, draftId: id }, {});
  const { draftsUseCase, principal } = memory;
  await expect(draftsUseCase.change(principal, key, id, { text: 'x' })).rejects.toThrow('has been sent');
  await expect(draftsUseCase.change(principal, key, id, { attachments: { uploads: [], keptIds: [] } })).rejects.toThrow(
    'has been sent',
  );
  await expect(draftsUseCase.remove(principal, key, id)).rejects.toThrow('has been sent');
  expect((await draftsUseCase.list(principal, key, { limit: 10 })).items).toEqual([]);
});

it('other teams, unknown inboxes and keys for sending get nothing', async () => {
  const { draftsUseCase, sending } = memory;
  const other = Principal.ofUser({ id: newId(), teamId: newId(), role: 'owner' });
  const page = { limit: 10 };
  await expect(draftsUseCase.list(other, key, page)).rejects.toThrow('Inbox not found');
  await expect(draftsUseCase.list(memory.principal, 'nobody', page)).rejects.toThrow('Inbox not found');
  const sendingKey = { id: newId(), teamId: sending.teamId, permission: 'sending_access', domainId: null } as const;
  const attempt = draftsUseCase.create(Principal.ofApiKey(sendingKey), key, newDraft());
  await expect(attempt).rejects.toMatchObject({ code: 'restricted_api_key' });
});
