import { beforeEach, expect, it } from '@jest/globals';
import { ReceivedContents } from '#inbound';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryReceivedEmails } from '../../../../test/support/fakes/in-memory-receiving.js';
import { InMemoryArrivals, InMemoryThreads } from '../../../../test/support/fakes/in-memory-threads.js';
import { RecordedTeamEvents } from '../../../../test/support/fakes/recorded-team-events.js';
import { Inbox } from '../domain/inbox.js';
import { FileArrivals } from './file-arrivals.use-case.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

const teamId = newId();
const inbox = { id: newId(), teamId, address: 'support@acme.test' } as Inbox;
const clock = new FakeClock();
let arrivals: InMemoryArrivals;
let received: InMemoryReceivedEmails;
let threads: InMemoryThreads;
let events: RecordedTeamEvents;
let read: (() => object) | undefined;
let released: number;
let filing: FileArrivals;

beforeEach(() => {
  arrivals = new InMemoryArrivals();
  received = new InMemoryReceivedEmails();
  threads = new InMemoryThreads();
  events = new RecordedTeamEvents();
  read = undefined;
  released = 0;
  const contents = {
    body: async () => ({
      plain: Buffer.from('Where is it?'),
      headers: { from: 'Ada L <ada@b.test>' },
      release: () => released++,
      ...read?.(),
    }),
  } as unknown as ReceivedContents;
  const inboxes = {
    find: async (team: string, id: string) => (team === teamId && id === inbox.id ? inbox : undefined),
  } as InboxRepository;
  filing = new FileArrivals(arrivals, received, contents, inboxes, threads, events, new InMemoryUnitOfWork(), clock);
});

function arrive(fields: object = {}): string {
  const { id } = received.add(teamId, fields);
  arrivals.add({ receivedId: id, inboxId: inbox.id, teamId }, clock.now());
  return id;
}

async function fileAll(): Promise<void> {
  for (const arrival of await filing.claim(10)) await filing.file(arrival);
}

it('files an email with the name of its author, once, and tells webhooks', async () => {
  const id = arrive({ subject: 'Order' });
  await fileAll();
  expect(threads.mail).toMatchObject([{ id, from: 'Ada L <ada@b.test>', subject: 'Order', direction: 'inbound' }]);
  expect(events.types).toEqual(['inbox.thread.created', 'inbox.email.received']);
  expect(arrivals.waiting).toEqual([]);
  expect(released).toBe(1);

  // A process that died before its commit was confirmed has left the note, and another one files again.
  arrivals.add({ receivedId: id, inboxId: inbox.id, teamId }, clock.now());
  await fileAll();
  expect(threads.mail).toHaveLength(1);
  expect(events.types).toHaveLength(2);
});

it('tells that an answer moves its thread', async () => {
  const threadId = newId();
  arrive({ threadId });
  await fileAll();
  await threads.change(inbox.id, threads.threads[0]?.id ?? '', { folder: 'archive' });
  arrive({ threadId });
  await fileAll();
  expect(events.types.slice(2)).toEqual(['inbox.email.received', 'inbox.thread.folder.updated']);
  expect(events.committed.at(-1)?.data).toMatchObject({ source: 'system', from: 'archive', to: 'inbox' });
});

it('has nothing to do for an email that was erased, or an inbox that was removed', async () => {
  arrivals.add({ receivedId: newId(), inboxId: inbox.id, teamId }, clock.now());
  const { id } = received.add(teamId);
  arrivals.add({ receivedId: id, inboxId: newId(), teamId }, clock.now());
  await fileAll();
  expect(arrivals.waiting).toEqual([]);
  expect(threads.mail).toEqual([]);
});

it('tries again later where the content cannot be read, and at last files the email without it', async () => {
  const id = arrive();
  read = () => {
    throw new Error('The store is away');
  };
  for (let tries = 0; tries < 4; tries++) {
    await expect(fileAll()).rejects.toThrow('The store is away');
    expect(await filing.claim(10)).toEqual([]);
    clock.advance(3_600_000);
  }
  await fileAll();
  expect(threads.mail).toMatchObject([{ id, from: 'Ada@b.test' }]);
});

it('does not read what came above the quota', async () => {
  arrive({ isAboveQuota: true });
  await fileAll();
  expect(released).toBe(0);
  expect(threads.mail).toHaveLength(1);
});

it('does not take a field with two mailboxes for the author', async () => {
  read = () => ({ headers: { from: 'Bob <bob@b.test>, Ada <ada@b.test>' } });
  arrive();
  await fileAll();
  expect(threads.mail).toMatchObject([{ from: 'Ada@b.test' }]);
});
