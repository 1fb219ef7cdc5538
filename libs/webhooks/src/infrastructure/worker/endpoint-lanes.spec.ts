import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { WakeUps } from '#kernel';
import { Logger } from '#observability/logging';
import { DrainEndpoint } from '../../application/drain-endpoint.use-case.js';
import { EndpointLanes, maxLanes } from './webhook-worker.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Endpoints that always have messages to send: their lanes end only when they are told to stop. */
class BusyEndpoints {
  readonly begun: string[] = [];
  readonly running = new Set<string>();

  async drain(webhookId: string, _workerId: string, wakeUps: WakeUps): Promise<void> {
    this.begun.push(webhookId);
    this.running.add(webhookId);
    while (!wakeUps.stopping) await wakeUps.next(60_000);
    this.running.delete(webhookId);
  }
}

function lanesOf(endpoints: BusyEndpoints): EndpointLanes {
  return new EndpointLanes(endpoints as unknown as DrainEndpoint, {} as Logger);
}

it('if more endpoints are busy than there are lanes, each endpoint gets a turn', async () => {
  const endpoints = new BusyEndpoints();
  const lanes = lanesOf(endpoints);
  const all = Array.from({ length: maxLanes * 2 + 1 }, (_, n) => `endpoint-${n}`);
  for (let second = 0; second < 10; second++) {
    for (const id of all) lanes.wake(id, 'worker');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(endpoints.running.size).toBe(maxLanes);
  }
  expect(new Set(endpoints.begun.slice(0, all.length))).toEqual(new Set(all));
});

it('a lane keeps running while no other endpoint waits', async () => {
  const endpoints = new BusyEndpoints();
  const lanes = lanesOf(endpoints);
  for (let second = 0; second < 10; second++) {
    for (let n = 0; n < maxLanes; n++) lanes.wake(`endpoint-${n}`, 'worker');
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(endpoints.begun).toHaveLength(maxLanes);
});

it('no new lane starts once the program stops', async () => {
  const endpoints = new BusyEndpoints();
  const lanes = lanesOf(endpoints);
  for (let n = 0; n <= maxLanes; n++) lanes.wake(`endpoint-${n}`, 'worker');
  await lanes.stop(1_000);
  expect(endpoints.begun).toHaveLength(maxLanes);
  expect(endpoints.running.size).toBe(0);
});
