import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryInboxSending } from '../../../../test/support/fakes/in-memory-inboxes.js';
import { InboxEmail } from '../domain/thread.js';
import { EmailAnswer } from './send-from-inbox.use-case.js';

let memory: InMemoryInboxSending;

beforeEach(() => {
  memory = new InMemoryInboxSending();
});

const answer: EmailAnswer = { cc: [], bcc: [], text: 'On Friday', attachments: [], headers: {} };
const keyOf = ({ id: emailId, threadId }: InboxEmail) => ({ inbox: memory.inbox.address, threadId, emailId });
const reply = (email: InboxEmail, fields = {}, keyed?: { key: string; fingerprint: Uint8Array }) =>
  memory.sendFromInbox.reply(memory.principal, keyOf(email), { ...answer, all: false, ...fields }, keyed);
const forward = (email: InboxEmail, fields = {}) =>
  memory.sendFromInbox.forward(memory.principal, keyOf(email), { ...answer, to: ['eve@customer.test'], ...fields });
const file = (size: number) => ({ filename: 'a', contentType: 'text/plain', content: Buffer.alloc(size) });

it('a reply goes to the author, in the thread', async () => {
  const email = memory.received();
  const { id } = await reply(email);
  const sent = await memory.sending.repository.find(id);
  expect(sent).toMatchObject({
    from: 'Support <support@acme.test>',
    to: ['ada@customer.test'],
    subject: 'Re: Question',
    headers: { 'In-Reply-To': '<second@customer.test>', References: '<second@customer.test>' },
    actor: memory.principal.actor,
  });
  expect(memory.threads.emails.get(id)).toMatchObject({ threadId: email.threadId, direction: 'outbound' });
  expect(memory.events.types).toEqual(['inbox.email.sent']);
});

it('a reply with a key is sent once', async () => {
  const email = memory.received();
  const keyed = { key: 'k', fingerprint: Buffer.from('same') };
  const first = await reply(email, {}, keyed);
  expect(await reply(email, {}, keyed)).toEqual(first);
  expect(memory.sending.queue.enqueued).toHaveLength(1);
  const other = reply(email, {}, { key: 'k', fingerprint: Buffer.from('other') });
  await expect(other).rejects.toMatchObject({ code: 'invalid_idempotent_request' });
});

it('nothing is there if a quota refuses', async () => {
  const email = memory.received();
  memory.sending.quotaError = new Error('No more');
  const keyed = { key: 'k', fingerprint: Buffer.from('same') };
  await expect(reply(email, {}, keyed)).rejects.toThrow('No more');
  expect(memory.threads.emails.where(({ direction }) => direction === 'outbound')).toEqual([]);
  memory.sending.quotaError = undefined;
  expect(await reply(email, {}, keyed)).toEqual({ id: expect.any(String) });
});

it('a forward has the original below what was written, and its files', async () => {
  const email = memory.received({ attachments: [{ id: newId(), filename: 'a', size: 3 }] });
  memory.originals.contentsById.set(email.id, { body: { html: null, text: 'When?' }, attachments: [file(3)] });
  const { id } = await forward(email);
  const sent = await memory.sending.repository.find(id);
  expect(sent).toMatchObject({ to: ['eve@customer.test'], subject: 'Fwd: Question', attachments: [{ size: 3 }] });
  const stored = Buffer.from((await memory.sending.store.get([id])).get(id) ?? []).toString();
  expect(stored).toContain('On Friday\n\n---------- Forwarded message ----------\nFrom: ada@customer.test\n');
  expect(stored.endsWith('\n\nWhen?')).toBe(true);
});

it('a forward needs the content, and has ten files of 25 MB at most', async () => {
  const attachments = Array.from({ length: 10 }, () => ({ id: newId(), filename: 'a', size: 3 }));
  await expect(forward(memory.received())).rejects.toThrow('The content of the email not found');
  await expect(forward(memory.received({ attachments }), { attachments: [file(1)] })).rejects.toThrow('10 files');
  const email = memory.received();
  const large = [file(25 * 1024 * 1024), file(1)];
  memory.originals.contentsById.set(email.id, { body: { html: null, text: 'x' }, attachments: large });
  await expect(forward(email)).rejects.toThrow('25 MB');
  await expect(reply(email, { attachments: large })).rejects.toThrow('25 MB');
});

it('refuses headers of the service, unknown emails, and keys for sending', async () => {
  const email = memory.received();
  await expect(reply(email, { headers: { 'reply-TO': 'a@b.test' } })).rejects.toThrow('`reply-TO`');
  await expect(reply({ ...email, threadId: newId() })).rejects.toThrow('Thread not found');
  await expect(reply({ ...email, id: newId() })).rejects.toThrow('Email not found');
  const key = { id: newId(), teamId: memory.inbox.teamId, permission: 'sending_access', domainId: null } as const;
  const attempt = memory.sendFromInbox.reply(Principal.ofApiKey(key), keyOf(email), { ...answer, all: false });
  await expect(attempt).rejects.toMatchObject({ code: 'restricted_api_key' });
});
