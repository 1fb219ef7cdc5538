import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Config } from '#platform/config';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { MessageQueue, WebhookLanesWithWork } from '../../application/ports/message-queue.port.js';
import { EndpointLanes, WebhookWorker } from './webhook-worker.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('successive sweeps examine all endpoints, however many have messages waiting', async () => {
  const looks: (string | undefined)[] = [];
  const woken: string[] = [];
  const found: WebhookLanesWithWork[] = [
    { webhookIds: ['a', 'b'], last: 'c' },
    { webhookIds: ['d'], last: undefined },
    { webhookIds: ['a'], last: 'c' },
  ];
  const queue = {
    lanesWithWork: async (_worker: string, _now: Date, after: string | undefined) => {
      looks.push(after);
      return found[looks.length - 1];
    },
    renewLanes: async () => undefined,
  } as unknown as MessageQueue;
  const lanes = { wake: (id: string) => woken.push(id), stop: async () => undefined } as unknown as EndpointLanes;
  const worker = new WebhookWorker(
    queue,
    lanes,
    {} as ProcessNotifications,
    { now: () => new Date() },
    { values: { shutdownSeconds: 1 } } as unknown as Config,
    {} as Logger,
  );

  worker.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(2_500);
  await worker.beforeApplicationShutdown();

  expect(looks).toEqual([undefined, 'c', undefined]);
  expect(woken).toEqual(['a', 'b', 'd', 'a']);
});
