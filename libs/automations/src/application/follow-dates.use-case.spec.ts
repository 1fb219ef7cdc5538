import { beforeEach, expect, it } from '@jest/globals';
import type { ConsentingContacts, ContactValues } from '#audience';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenDates } from '../../../../test/support/fakes/given-automation-events.js';
import { InMemoryEvents } from '../../../../test/support/fakes/in-memory-automations.js';
import { FollowDates } from './follow-dates.use-case.js';

const teamId = newId();
const clock = new FakeClock(new Date('2026-06-01T12:00:00Z'));
const watched = {
  id: newId(),
  teamId,
  automationId: newId(),
  timeZone: 'Europe/Berlin',
  trigger: { property: 'renews_at', offsetDays: -3, time: '09:00', everyYear: false },
};
let queue: GivenDates;
let events: InMemoryEvents;
let contacts: Map<string, object>;
let followDates: FollowDates;

const contact = (id: string, properties: Record<string, unknown>, lacking: readonly string[] = []) =>
  contacts.set(id, { id, properties, lacking: new Set(lacking) });

beforeEach(() => {
  queue = new GivenDates();
  events = new InMemoryEvents();
  contacts = new Map();
  const consenting = {
    read: async ({ ids }: { ids: readonly string[] }) => new Map([...contacts].filter(([id]) => ids.includes(id))),
    idsBehind: async (_team: string, after: string | undefined, limit: number) =>
      [...contacts.keys()]
        .sort()
        .filter((id) => after === undefined || id > after)
        .slice(0, limit),
  };
  followDates = new FollowDates(
    queue,
    events,
    consenting as unknown as ConsentingContacts,
    {
      propertiesOf: async () => [{ key: 'renews_at' }, { key: 'time_zone' }, { key: 'plan' }],
    } as unknown as ContactValues,
    new InMemoryUnitOfWork(),
    clock,
  );
});

it('the dates of a new trigger are those of all contacts, each in its zone', async () => {
  queue.unscannedTriggers = [watched];
  contact('a', { renews_at: '2026-07-04' });
  contact('b', { renews_at: '2026-07-04', time_zone: 'Asia/Tokyo' });
  contact('c', { renews_at: '2026-06-04' });
  contact('d', { renews_at: '2026-07-04' }, ['renews_at']);
  expect(await followDates.step()).toBe(true);
  expect([...queue.dates.values()]).toEqual([
    { contactId: 'a', date: '2026-07-01', dueAt: new Date('2026-07-01T07:00:00Z') },
    { contactId: 'b', date: '2026-07-01', dueAt: new Date('2026-07-01T00:00:00Z') },
  ]);
  expect(await followDates.step()).toBe(false);
});

it('a contact that changes has another date, or none', async () => {
  queue.watched = [watched];
  contact('a', { renews_at: '2026-07-04' });
  queue.changed = new Map([[teamId, ['a']]]);
  await followDates.step();
  contact('a', { renews_at: '2026-08-04' });
  queue.changed = new Map([[teamId, ['a']]]);
  await followDates.step();
  expect(queue.dates.get('a')).toMatchObject({ date: '2026-08-01' });
  contacts.delete('a');
  queue.changed = new Map([[teamId, ['a']]]);
  await followDates.step();
  expect(queue.dates.size).toBe(0);
});

it('a date that has come is not lost by a change before it has begun', async () => {
  queue.watched = [watched];
  contact('a', { renews_at: '2026-06-04' });
  const due = { contactId: 'a', date: '2026-06-01', dueAt: new Date('2026-06-01T07:00:00Z') };
  queue.dates.set('a', due);
  queue.changed = new Map([[teamId, ['a']]]);
  await followDates.step();
  expect(queue.dates.get('a')).toEqual(due);
});

it('a date that has come is an event, which is always the same', async () => {
  const due = { contactId: newId(), date: '2026-06-01', dueAt: new Date('2026-06-01T07:00:00Z'), teamId, watched };
  queue.due = [due];
  await followDates.step();
  queue.due = [due, { ...due, date: '2026-06-02' }];
  await followDates.step();
  const [first, again, other] = events.sent;
  expect(first).toEqual({
    id: expect.stringMatching(/^019e81fb-7180-7[0-9a-f]{3}-8/),
    teamId,
    name: 'resend:contact.date',
    email: null,
    contactId: due.contactId,
    payload: { property: 'renews_at', date: '2026-06-01' },
    depth: 0,
    originId: null,
    subjectId: watched.id,
  });
  expect(again).toEqual(first);
  expect(other?.id).not.toBe(first?.id);
});
