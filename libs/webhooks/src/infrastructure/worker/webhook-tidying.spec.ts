import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../../test/support/fakes/fake-clock.js';
import { InMemoryWebhookRepository } from '../../../../../test/support/fakes/in-memory-webhooks.js';
import { MessageQueue } from '../../application/ports/message-queue.port.js';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { WebhookTidying } from './webhook-tidying.js';

let clock: FakeClock;
let webhooks: InMemoryWebhookRepository;
let left: number;
let sweeps: number;
let tidying: WebhookTidying;

beforeEach(() => {
  clock = new FakeClock();
  webhooks = new InMemoryWebhookRepository();
  left = 0;
  sweeps = 0;
  const deleteExpired = async () => {
    sweeps++;
    return left === 0 ? 0 : left--;
  };
  const queue = { deleteExpired } as unknown as MessageQueue;
  const timers = { every: () => undefined } as unknown as Timers;
  const config = { values: { secretKeyPrevious: ['earlier'] } } as unknown as Config;
  tidying = new WebhookTidying(queue, webhooks, clock, timers, config, Logger.create('silent'));
});

it('forgets the secret before a rotation once its time is over', async () => {
  const [teamId, id] = [newId(), newId()];
  const webhook = { id, teamId, endpoint: 'https://hooks.test/', events: [], status: 'enabled' as const };
  const own = { format: 'postrider', domainId: null, settings: null };
  await webhooks.add({ ...webhook, ...own, disabledReason: null, createdAt: clock.now() }, 'old', 1);
  const until = new Date(clock.now().getTime() + 1_000);
  await webhooks.rotate(teamId, id, 'new', until);
  const previousAt = async (at: Date) => (await webhooks.secretsOf(teamId, id, at))?.previous;
  const before = clock.now();
  await tidying.tidy();
  expect(await previousAt(before)).toBe('old');
  clock.advance(1_000);
  await tidying.tidy();
  expect(await previousAt(before)).toBeUndefined();
});

it('sweeps until nothing is left', async () => {
  left = 5;
  await tidying.tidy();
  expect([left, sweeps]).toEqual([0, 6]);
});

it('leaves the rest to the next turn where there is much', async () => {
  left = 30;
  await tidying.tidy();
  expect(left).toBe(10);
  await tidying.tidy();
  expect(left).toBe(0);
});

it('has every secret encrypted with the present key after a start with an earlier one', async () => {
  let isResealed = false;
  webhooks.reseal = async () => void (isResealed = true);
  tidying.onApplicationBootstrap();
  await tidying.beforeApplicationShutdown();
  expect(isResealed).toBe(true);
});
