import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { InMemoryWebhookRepository } from '../infrastructure/in-memory/in-memory-webhook-repository.js';
import { MessageQueue } from './ports/message-queue.port.js';
import { TidyWebhooks } from './tidy-webhooks.use-case.js';

let clock: FakeClock;
let webhooks: InMemoryWebhookRepository;
let left: number;
let sweeps: number;
let tidy: TidyWebhooks;

beforeEach(() => {
  clock = new FakeClock();
  webhooks = new InMemoryWebhookRepository();
  left = 0;
  sweeps = 0;
  const deleteExpired = async () => {
    sweeps++;
    return left === 0 ? 0 : left--;
  };
  tidy = new TidyWebhooks({ deleteExpired } as unknown as MessageQueue, webhooks, clock);
});

it('forgets the secret before a rotation once its time is over', async () => {
  const [teamId, id] = [newId(), newId()];
  const webhook = { id, teamId, endpoint: 'https://hooks.test/', events: [], status: 'enabled' as const };
  await webhooks.add({ ...webhook, disabledReason: null, createdAt: clock.now() }, 'old', 1);
  const until = new Date(clock.now().getTime() + 1_000);
  await webhooks.rotate(teamId, id, 'new', until);
  const previousAt = async (at: Date) => (await webhooks.secretsOf(teamId, id, at))?.previous;
  const before = clock.now();
  await tidy.execute();
  expect(await previousAt(before)).toBe('old');
  clock.advance(1_000);
  await tidy.execute();
  expect(await previousAt(before)).toBeUndefined();
});

it('sweeps until nothing is left', async () => {
  left = 5;
  await tidy.execute();
  expect([left, sweeps]).toEqual([0, 6]);
});

it('leaves the rest to the next turn where there is much', async () => {
  left = 30;
  await tidy.execute();
  expect(left).toBe(10);
  await tidy.execute();
  expect(left).toBe(0);
});

it('has every secret sealed with the present key', async () => {
  let isResealed = false;
  webhooks.reseal = async () => void (isResealed = true);
  await tidy.reseal();
  expect(isResealed).toBe(true);
});
