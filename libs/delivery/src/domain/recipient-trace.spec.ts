import { expect, it } from '@jest/globals';
import { LaneReport } from './lane-limits.js';
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
  report: null,
  isBulk: false,
  ahead: 0,
  transactionalAhead: 0,
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
  ['the limit of its lane', waiting({}), 'lane_limit', null],
  ['transactional mail', waiting({ isBulk: true, ahead: 9, transactionalAhead: 3 }), 'transactional_first', null],
  ['the limit of its lane, without transactional mail', waiting({ isBulk: true, ahead: 9 }), 'lane_limit', null],
  ['no worker drains its lane', waiting({ isLaneTaken: false }), 'no_worker', null],
  ['nothing, a worker delivers it', waiting({ isHeld: true }), 'under_way', null],
  ['its schedule', { ...waiting({}), place: null, status: 'scheduled' }, 'schedule', later],
] as const)('a recipient is held by %s', (_, recipient, kind, until) => {
  expect(holdOf(recipient, later, now)).toMatchObject({ kind, until });
});

it('a recipient in a final state is not held', () => {
  expect(holdOf({ ...waiting({}), place: null, status: 'delivered' }, null, now)).toBeUndefined();
});

const report: LaneReport = {
  profile: 'google',
  site: 'mx.site.test',
  heldBy: 'connection_limit',
  connections: { current: 2, most: 10 },
  messagesPerMinute: { current: 60, most: 60 },
  at: now,
  held: 20,
  perSecond: 2,
};

it.each([
  ['one that the worker has claimed', waiting({ isHeld: true, report }), new Date(now.getTime() + 10_000)],
  ['one that is due after others', waiting({ ahead: 20, report }), new Date(now.getTime() + 20_000)],
  ['one of a lane without progress', waiting({ report: { ...report, perSecond: 0 } }), null],
] as const)('the limit of a lane holds %s, with an estimate from its pace', (_, recipient, until) => {
  const hold = holdOf(recipient, null, now);
  expect(hold).toMatchObject({ kind: 'connection_limit', until });
  expect(hold?.reason).toContain('connections: 2 of profile google, narrowed from 10');
});

it('a report that was not repeated is ignored', () => {
  const old = { ...report, at: new Date(now.getTime() - 60_000) };
  expect(holdOf(waiting({ report: old }), null, now)).toMatchObject({ kind: 'lane_limit' });
});
