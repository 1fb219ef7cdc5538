import { beforeEach, expect, it } from '@jest/globals';
import { Principal } from '#identity';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenSeenEvents } from '../../../../test/support/fakes/given-automation-events.js';
import { InMemoryEvents } from '../../../../test/support/fakes/in-memory-automations.js';
import { Events } from './events.use-case.js';

const teamId = newId();
const contactId = newId();
const owner = Principal.ofUser({ id: newId(), teamId, role: 'owner' });
let repository: InMemoryEvents;
let seen: GivenSeenEvents;
let events: Events;

beforeEach(() => {
  repository = new InMemoryEvents();
  seen = new GivenSeenEvents();
  events = new Events(repository, seen, new FakeClock());
});

it('an event has a name of its own in the team', async () => {
  const { id } = await events.add(owner, 'order.paid', null);
  await expect(events.add(owner, 'order.paid', null)).rejects.toThrow('exists already');
  expect((await events.find(teamId, 'order.paid')).id).toBe(id);
  await expect(events.find(newId(), 'order.paid')).rejects.toThrow('Event not found');
});

it('its schema is changed, and it is removed', async () => {
  const { id } = await events.add(owner, 'order.paid', null);
  expect(await events.changeSchema(owner, 'order.paid', { total: 'number' })).toBe(id);
  expect(await events.find(teamId, id)).toMatchObject({ schema: { total: 'number' }, updatedAt: expect.any(Date) });
  expect(await events.remove(owner, id)).toBe(id);
  await expect(events.remove(owner, id)).rejects.toThrow('Event not found');
});

it('an event is taken for an address, with its payload in the types of the schema', async () => {
  await events.add(owner, 'order.paid', { total: 'number' });
  expect(await events.send(owner, { event: 'order.paid', email: ' Ada@Sink.test', payload: { total: '5' } })).toBe(
    'order.paid',
  );
  expect(repository.sent).toMatchObject([{ teamId, email: 'ada@sink.test', contactId: null, payload: { total: 5 } }]);
});

it('an event that nobody has defined is taken for a contact', async () => {
  await events.send(owner, { event: 'seen', contactId });
  expect(repository.sent).toMatchObject([{ name: 'seen', contactId, email: null, payload: {} }]);
});

it('shows who listens to events, and names that are not defined', async () => {
  await events.add(owner, 'order.paid', null);
  const listener = { automationId: newId(), name: 'A', status: 'enabled', stepKey: 's', stepType: 'trigger' } as const;
  seen.listening = new Map([['order.paid', [listener]]]);
  seen.names = [{ id: newId(), name: 'order.lost', count: 3, lastSeenAt: new Date() }];
  expect((await events.list(teamId, { limit: 10 })).items).toMatchObject([{ listeners: [listener] }]);
  expect((await events.insight(teamId, 'order.paid')).listeners).toEqual([listener]);
  expect((await events.listSeen(teamId, { limit: 10 })).items).toEqual(seen.names);
  expect(await events.findSeen(teamId, 'order.lost')).toMatchObject({ count: 3, listeners: [] });
  await expect(events.findSeen(teamId, 'none')).rejects.toThrow('Event not found');
});

it('events of a batch are taken together, in their order', async () => {
  await events.add(owner, 'order.paid', { total: 'number' });
  const batch = [
    { event: 'order.paid', email: 'ada@sink.test', payload: { total: '5' } },
    { event: 'seen', contactId },
  ];
  expect(await events.sendBatch(owner, batch)).toEqual(['order.paid', 'seen']);
  expect(repository.sent).toMatchObject([{ email: 'ada@sink.test', payload: { total: 5 } }, { contactId }]);
});

it('one refused event refuses its batch, and is named', async () => {
  const fine = { event: 'order.paid', email: 'ada@sink.test' };
  const stranger = newId();
  repository.strangers.add(stranger);
  const large = { ...fine, payload: { text: 'x'.repeat(60_000) } };
  const refused: [object[], string][] = [
    [[], 'A batch must have 1 to 100 events.'],
    [Array<object>(101).fill(fine), 'A batch must have 1 to 100 events.'],
    [[fine, { email: 'ada@sink.test' }], 'The event at index 1: Missing `event` field.'],
    [[fine, fine, { event: 'order.paid' }], 'The event at index 2: Give exactly one'],
    [[fine, { event: 'order.paid', contactId: stranger }], 'The event at index 1: Contact not found'],
    [Array<object>(18).fill(large), 'The payloads of a batch may have at most 1 MB in total.'],
  ];
  for (const [batch, message] of refused) await expect(events.sendBatch(owner, batch)).rejects.toThrow(message);
  expect(repository.sent).toEqual([]);
});

it('refused events leave nothing', async () => {
  await events.add(owner, 'order.paid', { total: 'number' });
  const refused = [
    events.send(owner, { event: 'order.paid' }),
    events.send(owner, { event: 'order.paid', email: 'a@b.test', contactId }),
    events.send(owner, { event: 'order.paid', contactId: 'ada@b.test' }),
    events.send(owner, { event: 'order.paid', email: 'nobody' }),
    events.send(owner, { event: 'order.paid', email: 'a@b.test', payload: { total: 'x' } }),
    events.send(owner, { email: 'a@b.test' }),
  ];
  for (const each of refused) await expect(each).rejects.toThrow();
  const viewer = Principal.ofUser({ id: newId(), teamId, role: 'viewer' });
  await expect(events.send(viewer, { event: 'order.paid', email: 'a@b.test' })).rejects.toThrow();
  expect(repository.sent).toEqual([]);
});
