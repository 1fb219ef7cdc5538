import { beforeEach, expect, it } from '@jest/globals';
import { ReadEmails } from '#emails';
import { EmailAboveQuotaError, ReceivedInbox } from '#inbound';
import { newId } from '#kernel';
import { anEmailToFile, InMemoryThreads } from '../../../../test/support/fakes/in-memory-threads.js';
import { Inbox } from '../domain/inbox.js';
import { EmailDirection } from '../domain/thread.js';
import { InboxRepository } from './ports/inbox-repository.port.js';
import { ReadInboxEmails } from './read-inbox-emails.query.js';

const teamId = newId();
const inbox = { id: newId(), teamId } as Inbox;
let threads: InMemoryThreads;
let contents: Map<string, string | Error>;
let held: number;
let query: ReadInboxEmails;
let threadId: string;

beforeEach(() => {
  threads = new InMemoryThreads();
  contents = new Map();
  held = 0;
  threadId = '';
  const bodyOf = (id: string): object => {
    const content = contents.get(id);
    if (content instanceof Error) throw content;
    held++;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) held--;
      isHeld = false;
    };
    return { html: null, text: content ?? null, release };
  };
  const received = { get: async (_team: string, id: string) => ({ body: bodyOf(id) }) } as unknown as ReceivedInbox;
  const sent = {
    find: async (_team: string, id: string) => (contents.has(id) ? { body: bodyOf(id) } : undefined),
  } as unknown as ReadEmails;
  const inboxes = { find: async (team: string) => (team === teamId ? inbox : undefined) } as unknown as InboxRepository;
  query = new ReadInboxEmails(inboxes, threads, received, sent);
});

async function add(content: string | Error | undefined, direction: EmailDirection = 'inbound'): Promise<string> {
  const id = newId();
  if (content !== undefined) contents.set(id, content);
  const place = threadId === '' ? { root: newId(), isSpam: false } : { threadId };
  const filed = await threads.file(inbox.id, anEmailToFile({ id, direction }), place);
  threadId = filed?.thread.id ?? '';
  return id;
}

it('reads received and sent emails, newest first', async () => {
  await add('Where is it?');
  await add('On its way', 'outbound');
  const { items, hasMore } = await query.list(teamId, inbox.id, threadId, { limit: 10 });
  expect(items.map(({ text }) => text)).toEqual(['On its way', 'Where is it?']);
  expect(hasMore).toBe(false);
  for (const item of items) item.release();
  expect(held).toBe(0);
});

it('ends a page before it becomes large, in both directions, and has one email at least', async () => {
  const large = 'x'.repeat(200_000);
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push(await add(large));
  const forwards = await query.list(teamId, inbox.id, threadId, { limit: 20 });
  expect(forwards.items.map(({ email }) => email.id)).toEqual([...ids].reverse().slice(0, 10));
  const backwards = await query.list(teamId, inbox.id, threadId, { limit: 20, before: newId() });
  expect(backwards.items.map(({ email }) => email.id)).toEqual([...ids].slice(0, 10).reverse());
  expect([forwards.hasMore, backwards.hasMore]).toEqual([true, true]);
  expect(held).toBe(0);
});

it('holds the memory of one large email at most, which has a page of its own', async () => {
  const [oldest, middle] = [await add('x'.repeat(300_000)), await add('x'.repeat(300_000))];
  const newest = await add('Short');
  const first = await query.list(teamId, inbox.id, threadId, { limit: 10 });
  expect([first.items.map(({ email }) => email.id), first.hasMore, held]).toEqual([[newest], true, 0]);
  threads.mail.pop();
  const second = await query.list(teamId, inbox.id, threadId, { limit: 10 });
  expect([second.items.map(({ email }) => email.id), second.hasMore, held]).toEqual([[middle], true, 1]);
  expect(oldest).toEqual(expect.any(String));
});

it('shows an email without its content once that is gone, or where the quota was used up', async () => {
  const above = await add(new EmailAboveQuotaError());
  const gone = await add(undefined, 'outbound');
  expect(await query.get(teamId, inbox.id, threadId, above)).toMatchObject({ html: null, text: null });
  expect(await query.get(teamId, inbox.id, threadId, gone)).toMatchObject({ html: null, text: null });
});

it('releases what it has read where a later one fails', async () => {
  await add(new Error('The store is away'));
  await add('Fine');
  await expect(query.list(teamId, inbox.id, threadId, { limit: 10 })).rejects.toThrow('The store is away');
  expect(held).toBe(0);
});

it('finds nothing of another team, and no email of another thread', async () => {
  const id = await add('Fine');
  await expect(query.list(newId(), inbox.id, threadId, { limit: 10 })).rejects.toThrow('Inbox not found');
  await expect(query.list(teamId, inbox.id, newId(), { limit: 10 })).rejects.toThrow('Thread not found');
  await expect(query.get(teamId, inbox.id, newId(), id)).rejects.toThrow('Email not found');
});
