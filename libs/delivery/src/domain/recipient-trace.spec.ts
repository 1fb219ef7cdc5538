import { expect, it } from '@jest/globals';
import { holdOf, QueuePlace } from './recipient-trace.js';

const now = new Date('2026-11-21T12:00:00Z');
const before = new Date('2026-11-21T11:59:00Z');
const later = new Date('2026-11-21T12:05:00Z');
const pause = { since: before, until: later, reason: 'mx.site.test: ECONNREFUSED' };

const place: QueuePlace = {
  lane: 'mx:site.test',
  queuedAt: before,
  dueAt: before,
  attempts: 0,
  isHeld: false,
  isLaneTaken: true,
  pause: null,
};
const waiting = (fields: Partial<QueuePlace>) => ({
  no: 0,
  address: 'a@site.test',
  status: 'queued',
  place: { ...place, ...fields },
  attempts: [],
  reports: [],
  events: [],
});

it.each([
  ['the retry schedule', waiting({ dueAt: later, attempts: 1 }), 'retry_schedule', later],
  ['the pause of its lane', waiting({ pause }), 'lane_paused', later],
  ['what its lane bears', waiting({}), 'lane_limit', null],
  ['that nobody drains its lane', waiting({ isLaneTaken: false }), 'no_worker', null],
  ['nothing: a worker has it', waiting({ isHeld: true }), 'under_way', null],
  ['its schedule', { ...waiting({}), place: null, status: 'scheduled' }, 'schedule', later],
] as const)('a recipient names what holds it: %s', (_, recipient, kind, until) => {
  expect(holdOf(recipient, later, now)).toMatchObject({ kind, until });
});

it('nothing holds a recipient in a final state', () => {
  expect(holdOf({ ...waiting({}), place: null, status: 'delivered' }, null, now)).toBeUndefined();
});
