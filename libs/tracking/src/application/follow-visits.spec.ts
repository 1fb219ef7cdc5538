import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Clock, newId } from '#kernel';
import { ObservedVisit } from '../domain/observed-visit.js';
import { FollowVisits } from './follow-visits.use-case.js';
import { VisitLog } from './ports/tracked-visits.port.js';

class CollectedVisits extends VisitLog {
  readonly visits: ObservedVisit[] = [];

  add(visits: readonly ObservedVisit[]): void {
    this.visits.push(...visits);
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }
}

class FixedClock extends Clock {
  now(): Date {
    return new Date('2026-11-21T12:00:00Z');
  }
}

const seen = { method: 'GET', userAgent: 'Mozilla/5.0 (X11)', purpose: '', ipAddress: '192.0.2.1' };
const link = (path: string, recipientNo = 0) => ({ emailId, recipientNo, url: `https://x.test/${path}` });
const emailId = newId();
let log: CollectedVisits;
let visits: FollowVisits;

beforeEach(() => {
  jest.useFakeTimers();
  log = new CollectedVisits();
  visits = new FollowVisits(log, new FixedClock());
});
afterEach(() => void jest.useRealTimers());

const reasons = (): (string | undefined)[] => log.visits.map(({ reason }) => reason);

it('an open is logged at once, a click after one second', () => {
  visits.opened({ emailId, recipientNo: 0 }, seen);
  visits.clicked(link('a'), seen);
  expect(log.visits.map(({ kind }) => kind)).toEqual(['open']);
  jest.advanceTimersByTime(1_000);
  expect(log.visits.map(({ kind }) => kind)).toEqual(['open', 'click']);
  expect(reasons()).toEqual([undefined, undefined]);
});

it('every click of a burst counts as a machine, the first one included', () => {
  for (const path of ['a', 'b', 'c']) visits.clicked(link(path), seen);
  jest.advanceTimersByTime(1_000);
  expect(reasons()).toEqual(['burst', 'burst', 'burst']);
});

it('clicks of two recipients are not one burst, and neither are clicks in two different seconds', () => {
  visits.clicked(link('a', 0), seen);
  visits.clicked(link('b', 0), seen);
  visits.clicked(link('c', 1), seen);
  jest.advanceTimersByTime(1_000);
  visits.clicked(link('c', 0), seen);
  jest.advanceTimersByTime(1_000);
  expect(reasons()).toEqual([undefined, undefined, undefined, undefined]);
});

it('clicks that wait are logged when the program stops', async () => {
  visits.clicked(link('a'), seen);
  await visits.onApplicationShutdown();
  expect(log.visits).toHaveLength(1);
});

it('a user agent is cut to 512 characters', () => {
  visits.opened({ emailId, recipientNo: 0 }, { ...seen, userAgent: 'x'.repeat(10_000) });
  expect(log.visits[0]?.userAgent).toHaveLength(512);
});
