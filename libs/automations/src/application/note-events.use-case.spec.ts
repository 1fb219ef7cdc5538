import { beforeEach, expect, it } from '@jest/globals';
import type { ConsentingContacts } from '#audience';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { GivenSeenEvents } from '../../../../test/support/fakes/given-automation-events.js';
import { NoteEvents } from './note-events.use-case.js';

const teamId = newId();
const adaId = newId();
let seen: GivenSeenEvents;
let noteEvents: NoteEvents;

beforeEach(() => {
  seen = new GivenSeenEvents();
  const contacts = {
    read: async ({ ids }: { ids: readonly string[] }) =>
      new Map(ids.includes(adaId) ? [[adaId, { email: 'Ada@sink.test' }]] : []),
  } as unknown as ConsentingContacts;
  noteEvents = new NoteEvents(seen, contacts, new InMemoryUnitOfWork(), new FakeClock());
});

const event = (name: string, more: object = {}) => ({
  id: newId(),
  teamId,
  name,
  contactId: null,
  email: 'eve@sink.test',
  payload: {},
  depth: 0,
  subjectId: null,
  originId: null,
  position: 1,
  ...more,
});

it('keeps how often a name is seen, and its last ten payloads with whom they are about', async () => {
  noteEvents.note(Array.from({ length: 25 }, (_, no) => event('paid', { payload: { no } })));
  noteEvents.note([
    event('lost', { contactId: adaId, email: null }),
    event('lost', { contactId: newId(), email: null }),
  ]);
  noteEvents.note([event('resend:contact.created')]);
  await noteEvents.flush();
  await noteEvents.flush();
  expect(seen.written.map(({ name, count, payloads }) => [name, count, payloads.length])).toEqual([
    ['paid', 25, 10],
    ['lost', 2, 1],
  ]);
  expect(seen.written[0]?.payloads.at(-1)).toMatchObject({ contactEmail: 'eve@sink.test', payload: { no: 24 } });
  expect(seen.written[1]?.payloads).toMatchObject([{ contactEmail: 'ada@sink.test' }]);
});

it('keeps of a large payload what fits, and of many names some', async () => {
  noteEvents.note([event('large', { payload: { plan: 'pro', text: 'x'.repeat(9_000), more: 1 } })]);
  noteEvents.note(Array.from({ length: 500 }, (_, no) => event(`name ${no}`)));
  noteEvents.note([event('quiet', { teamId: newId() })]);
  await noteEvents.flush();
  expect(seen.written).toHaveLength(101);
  expect(seen.written[0]?.payloads[0]?.payload).toEqual({ plan: 'pro' });
  expect(seen.written.flatMap(({ payloads }) => payloads)).toHaveLength(51);
  expect(seen.written.at(-1)).toMatchObject({ name: 'quiet', payloads: [{}] });
});
