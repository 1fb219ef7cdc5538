import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { DeliveryQueue, WorkerPresence } from '../../application/ports/delivery-queue.port.js';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import { DeliveryWorker } from './delivery-worker.js';
import { LaneRunner } from './lane-runner.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('lanes with work are found even if removing dead workers and releasing failed lanes fail', async () => {
  const woken: string[] = [];
  const fail = (): Promise<never> => Promise.reject(new Error('poisoned'));
  const queue = {
    forgetDeadWorkers: fail,
    lanesWithWork: async () => ({ lanes: [{ name: 'lane', teamId: 'team' }], lookedAt: undefined }),
    retire: async () => undefined,
  } as Partial<DeliveryQueue> as DeliveryQueue;
  const lanes = {
    abandonFailed: fail,
    wake: (lane: string) => void woken.push(lane),
    stop: async () => true,
  } as unknown as LaneRunner;
  const presence = {
    heartbeat: async () => undefined,
    steadyForMs: 3_600_000,
    end: () => undefined,
  } satisfies WorkerPresence;
  const worker = new DeliveryWorker(
    queue,
    presence,
    lanes,
    { close: async () => undefined } as unknown as DeliveryTransport,
    { id: 'worker' },
    { values: { databaseUrl: 'postgres://', shutdownSeconds: 1 } } as unknown as Config,
    Logger.create('silent'),
  );

  await worker.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(1_001);
  await worker.beforeApplicationShutdown();

  expect(woken).toEqual(['lane', 'lane']);
});
