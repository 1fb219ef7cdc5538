import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { LaneWakeUps } from './queue-lane-signal.js';

let started: string[];
let notified: string[];
let wakeUps: LaneWakeUps;

beforeEach(() => {
  jest.useFakeTimers();
  started = [];
  notified = [];
  wakeUps = new LaneWakeUps({
    start: (lane, teamId) => started.push(`${lane} for ${teamId}`),
    notify: (lanes) => notified.push(...lanes),
  });
});

afterEach(() => void jest.useRealTimers());

it('a lane is started at most once a second, and its worker is notified meanwhile', () => {
  for (let n = 0; n < 5; n++) wakeUps.wake('lane', 'team');
  jest.advanceTimersByTime(10);
  expect([started, notified]).toEqual([['lane for team'], ['lane']]);
  jest.advanceTimersByTime(1_000);
  expect(started).toEqual(['lane for team', 'lane for team']);
  jest.advanceTimersByTime(5_000);
  expect(started).toHaveLength(2);
});

it('a lane requested by several teams is started for a different team the next time', () => {
  for (const team of ['first', 'second', 'first']) wakeUps.wake('lane', team);
  jest.advanceTimersByTime(1_000);
  expect(started).toEqual(['lane for first', 'lane for second']);
});

it('a lane is started for a team within its limit if another team that asks has reached its limit', () => {
  wakeUps.wake('shared', 'attacker');
  jest.advanceTimersByTime(500);
  wakeUps.wake('shared', 'attacker');
  wakeUps.wake('shared', 'good');
  for (let n = 0; n < 1_000; n++) wakeUps.wake(`silent${n}`, 'attacker');
  jest.advanceTimersByTime(499);
  for (let n = 1_000; n < 2_000; n++) wakeUps.wake(`silent${n}`, 'attacker');
  started = [];
  jest.advanceTimersByTime(1);
  expect(started).toContain('shared for good');
});
