import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { HeldCount } from '#kernel';
import { LaneLimits } from '../domain/lane-limits.js';
import { LaneReports } from './lane-reports.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';

let limits: LaneLimits | undefined;
let written: boolean[];
let write: () => Promise<void>;
let reports: LaneReports;

beforeEach(() => {
  jest.useFakeTimers();
  limits = {} as LaneLimits;
  written = [];
  write = () => Promise.resolve();
  const queue = {
    report: async (_worker: string, [only]: { report: unknown }[]) => {
      await write();
      written.push(only?.report !== undefined);
    },
  };
  reports = new LaneReports(
    queue as unknown as DeliveryQueue,
    { limitsOf: () => limits } as unknown as DeliveryTransport,
    { now: () => new Date() },
  );
  reports.open('slow.test', 'worker', new HeldCount());
});

afterEach(() => {
  reports.close('slow.test');
  jest.useRealTimers();
});

it('says what holds a lane back, and once that nothing does any more', async () => {
  await jest.advanceTimersByTimeAsync(2_000);
  limits = undefined;
  await jest.advanceTimersByTimeAsync(3_000);
  expect(written).toEqual([true, true, false]);
});

it('says that nothing holds it back any more once the database is there again', async () => {
  await jest.advanceTimersByTimeAsync(1_000);
  limits = undefined;
  write = () => Promise.reject(new Error('the database is away'));
  await jest.advanceTimersByTimeAsync(2_000);
  write = () => Promise.resolve();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(written).toEqual([true, false]);
});

it('says so too where the report before took long', async () => {
  let finish = (): void => undefined;
  write = () => new Promise((resolve) => (finish = resolve));
  await jest.advanceTimersByTimeAsync(1_000);
  limits = undefined;
  await jest.advanceTimersByTimeAsync(2_000);
  write = () => Promise.resolve();
  finish();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(written).toEqual([true, false]);
});
