import { expect, it } from '@jest/globals';
import { EndpointHealth, healthAfterFailures, healthy, mustBeDisabled } from './failures.js';

const start = new Date('2026-11-21T12:00:00Z');
const hour = 3_600_000;
const later = (hours: number): Date => new Date(start.getTime() + hours * hour);
const failing = (hours: readonly number[]): EndpointHealth =>
  hours.reduce((health, at) => healthAfterFailures(health, 1, later(at), 0.5), healthy);

it('an endpoint is down after eight failures in a row, and the pause before a probe grows from seconds to minutes', () => {
  expect(healthAfterFailures(healthy, 7, start, 0.5).probeAt).toBeNull();
  const down = healthAfterFailures(healthy, 8, start, 0.5);
  expect(down.probeAt).toEqual(new Date(start.getTime() + 5_000));
  const minute = new Date(start.getTime() + 100_000);
  expect(healthAfterFailures(down, 1, minute, 0.5).probeAt).toEqual(new Date(minute.getTime() + 10_000));
  expect(healthAfterFailures(down, 1, later(5), 0.5).probeAt).toEqual(new Date(later(5).getTime() + 300_000));
});

it('an endpoint is disabled after five days of failures, unless a whole day passed without a call', () => {
  const days = [0, 20, 40, 60, 80, 100, 119];
  expect(mustBeDisabled(failing(days), later(119))).toBe(false);
  expect(mustBeDisabled(failing([...days, 120]), later(120))).toBe(true);
  expect(mustBeDisabled(failing([0, 20, 45, 65, 85, 105, 121]), later(121))).toBe(false);
  expect(mustBeDisabled(healthy, later(999))).toBe(false);
});
