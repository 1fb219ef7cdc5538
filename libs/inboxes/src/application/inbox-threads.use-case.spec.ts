import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { anEmailToFile, InMemoryThreads } from '../../../../test/support/fakes/in-memory-threads.js';
import { RecordedTeamEvents } from '../../../../test/support/fakes/recorded-team-events.js';
import { Inbox } from '../domain/inbox.js';
import { InboxThreads } from './inbox-threads.use-case.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

const teamId = newId();
const inbox = { id: newId(), teamId, address: 'support@acme.test' } as Inbox;
const label = newId();
const page = { limit: 10 };
const filter = { folders: ['inbox'], labels: [] } as const;
const memberId = newId();
const member = Principal.ofUser({ id: memberId, teamId, role: 'developer' });
const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
let threads: InMemoryThreads;
let events: RecordedTeamEvents;
let useCase: InboxThreads;
let id: string;

beforeEach(async () => {
  threads = new InMemoryThreads();
  events = new RecordedTeamEvents();
  const inboxes = {
    find: async (team: string, one: string) => (team === teamId && one === inbox.address ? inbox : undefined),
    labels: async () => [{ id: label, name: 'Urgent', color: '#aa0000', createdAt: new Date() }],
  } as unknown as InboxRepository;
  useCase = new InboxThreads(inboxes, threads, events, new InMemoryUnitOfWork(), new FakeClock());
  const filed = await threads.file(inbox.id, anEmailToFile(), { root: undefined, isSpam: false });
  id = filed?.thread.id ?? '';
});

it('finds the inbox by its address in any case, for its own team only', async () => {
  expect((await useCase.list(teamId, 'Support@Acme.test', filter, page)).items).toHaveLength(1);
  await expect(useCase.list(newId(), inbox.address, filter, page)).rejects.toThrow('Inbox not found');
  await expect(useCase.find(teamId, inbox.address, newId())).rejects.toThrow('Thread not found');
  const search = { from: [], to: [], cc: [], bcc: [] };
  expect((await useCase.search(teamId, inbox.address, filter, search, page)).items).toHaveLength(1);
});

it('tells where a thread was moved, and nothing of one that stays', async () => {
  await useCase.change(member, inbox.address, id, { isRead: true });
  expect(events.types).toEqual([]);
  await useCase.change(member, inbox.address, id, { folder: 'trash' });
  expect(events.committed).toMatchObject([
    { type: 'inbox.thread.folder.updated', data: { source: 'dashboard', thread_id: id, from: 'inbox', to: 'trash' } },
  ]);
});

it('tells to whom a thread was assigned, by whom, and who had it before', async () => {
  const assign = (assigneeEmail: string | null) => useCase.change(member, inbox.address, id, { assigneeEmail });
  await assign('grace@acme.test');
  await assign('grace@acme.test');
  await assign('ada@acme.test');
  await assign(null);
  const by = { assigned_by_email: `${memberId}@acme.test`, thread_id: id, source: 'dashboard' };
  const [grace, ada] = ['grace@acme.test', 'ada@acme.test'];
  expect(events.committed).toMatchObject([
    { type: 'inbox.thread.assigned', data: { ...by, assignee_email: grace, previous_assignee_email: null } },
    { type: 'inbox.thread.assigned', data: { ...by, assignee_email: ada, previous_assignee_email: grace } },
    { type: 'inbox.thread.unassigned', data: { previous_assignee_email: ada, thread: { assignee_email: null } } },
  ]);
});

it('tells which labels were added and removed', async () => {
  await useCase.label(member, inbox.address, id, 'add', [label]);
  await useCase.label(member, inbox.address, id, 'add', [label]);
  await useCase.label(member, inbox.address, id, 'replace', []);
  expect(events.committed.map(({ data }) => data)).toMatchObject([
    { added: [{ id: label }], removed: [] },
    { added: [], removed: [{ id: label }] },
  ]);
  await expect(useCase.label(member, inbox.address, id, 'add', [newId()])).rejects.toThrow('Label not found');
});

it('changes nothing for who may only read', async () => {
  await expect(useCase.change(viewer, inbox.address, id, { folder: 'trash' })).rejects.toThrow();
  await expect(useCase.label(viewer, inbox.address, id, 'add', [label])).rejects.toThrow();
  expect(threads.threads).toMatchObject([{ folder: 'inbox', labels: [] }]);
});
