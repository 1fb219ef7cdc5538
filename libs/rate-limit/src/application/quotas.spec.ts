import { beforeEach, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryUnitOfWork } from '../../../../test/support/fakes/in-memory-unit-of-work.js';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { QuotaLimits, TeamUsage } from '../domain/limits.js';
import { CountedMessages, SendingUsage } from './ports/team-limits.port.js';
import { Quotas } from './quotas.js';

/** Counts each day from nothing. */
class CountedDays extends SendingUsage {
  readonly sent = new Map<string, number>();
  reads = 0;

  async count(messages: readonly CountedMessages[], at: Date): Promise<ReadonlyMap<string, TeamUsage>> {
    for (const { teamId, messages: count } of messages) {
      this.sent.set(this.key(teamId, at), this.of(teamId, at) + count);
    }
    return new Map(messages.map(({ teamId }) => [teamId, this.usage(teamId, at)]));
  }

  async countKeys(messages: ReadonlyMap<string, number>, at: Date): Promise<ReadonlyMap<string, number>> {
    for (const [id, count] of messages) this.sent.set(this.key(id, at), this.of(id, at) + count);
    return new Map([...messages.keys()].map((id) => [id, this.of(id, at)]));
  }

  async readKey(apiKeyId: string, at: Date): Promise<number> {
    return this.of(apiKeyId, at);
  }

  async read(teamId: string, at: Date): Promise<TeamUsage> {
    this.reads++;
    return this.usage(teamId, at);
  }

  private of(teamId: string, at: Date): number {
    return this.sent.get(this.key(teamId, at)) ?? 0;
  }

  private key(teamId: string, at: Date): string {
    return `${teamId} ${at.toISOString().slice(0, 10)}`;
  }

  private usage(teamId: string, at: Date): TeamUsage {
    const count = { sent: this.of(teamId, at), received: 0 };
    return { daily: count, monthly: count };
  }
}

const teamId = newId();
let usage: CountedDays;
let clock: FakeClock;

beforeEach(() => {
  usage = new CountedDays();
  clock = new FakeClock(new Date('2026-11-22T12:00:00Z'));
});

const quotasOf = (limits: Partial<QuotaLimits>) =>
  new Quotas(usage, { daily: undefined, monthly: undefined, ...limits }, clock);

async function send(quotas: Quotas, messages: number): Promise<void> {
  const counted = await new InMemoryUnitOfWork().run((transaction) =>
    quotas.count([{ teamId, messages }], transaction),
  );
  quotas.remember(counted);
}

it.each([
  ['daily', 'daily_quota_exceeded'],
  ['monthly', 'monthly_quota_exceeded'],
])('a team may send as much as its %s quota, and not one message more', async (period, code) => {
  const quotas = quotasOf({ [period]: 10 });
  await send(quotas, 10);
  await expect(send(quotas, 1)).rejects.toMatchObject({ code, kind: 'limited' });
});

it.each([
  ['daily', 12 * 3_600],
  ['monthly', (8 * 24 + 12) * 3_600],
])('a refusal for the %s quota says how many seconds of the period are left', async (period, retryAfterSeconds) => {
  await expect(send(quotasOf({ [period]: 10 }), 11)).rejects.toMatchObject({ retryAfterSeconds });
});

it('what cannot fit is refused before it costs a transaction, once the usage is known', async () => {
  const quotas = quotasOf({ daily: 10 });
  expect(quotas.isBeyond({ teamId, messages: 11 })).toBe(false);
  await send(quotas, 8);
  expect([quotas.isBeyond({ teamId, messages: 2 }), quotas.isBeyond({ teamId, messages: 3 })]).toEqual([false, true]);
  expect(() => quotas.refuseBeyond({ teamId, messages: 3 })).toThrow('daily email sending quota');
  expect(quotas.isBeyond({ teamId: newId(), messages: 10 })).toBe(false);
});

it('the quota that another process has used up is learnt from the first refusal', async () => {
  await send(quotasOf({ daily: 10 }), 10);
  const quotas = quotasOf({ daily: 10 });
  expect(quotas.isBeyond({ teamId, messages: 1 })).toBe(false);
  await expect(send(quotas, 1)).rejects.toMatchObject({ code: 'daily_quota_exceeded' });
  expect(quotas.isBeyond({ teamId, messages: 1 })).toBe(true);
});

it('what is known of yesterday refuses nothing today', async () => {
  const quotas = quotasOf({ daily: 10 });
  await send(quotas, 10);
  clock.advance(86_400_000);
  expect(quotas.isBeyond({ teamId, messages: 10 })).toBe(false);
  await send(quotas, 10);
});

it('shows what is used of the quotas that there are', async () => {
  expect(await quotasOf({}).shown(teamId)).toEqual({});
  const quotas = quotasOf({ daily: 10 });
  await send(quotas, 3);
  expect(await quotas.shown(teamId)).toEqual({ daily: 3 });
  expect(usage.reads).toBe(0);
  expect(await quotasOf({ daily: 10, monthly: 20 }).shown(teamId)).toEqual({ daily: 3, monthly: 3 });
});

it('without quotas nothing is refused', async () => {
  const quotas = quotasOf({});
  await send(quotas, 1_000_000);
  expect([quotas.mayRefuse, quotas.isBeyond({ teamId, messages: 1_000_000 })]).toEqual([false, false]);
});

it('the limit of an API key is counted beside that of its team, and begins anew each day', async () => {
  const quotas = quotasOf({});
  const keyLimit = { apiKeyId: newId(), daily: 3 };
  const sendByKey = async (messages: number): Promise<void> => {
    const counted = { teamId, messages, keyLimit };
    quotas.remember(
      await new InMemoryUnitOfWork().run((transaction) =>
        quotas.count([counted, { teamId, messages: 9 }], transaction),
      ),
    );
  };
  await sendByKey(2);
  await expect(quotas.refuseNow({ teamId, messages: 2, keyLimit })).rejects.toThrow('`daily_limit`: 3 recipients');
  expect([1, 2].map((messages) => quotas.isBeyond({ teamId, messages, keyLimit }))).toEqual([false, true]);
  expect(quotas.isBeyond({ teamId, messages: 9 })).toBe(false);
  await sendByKey(1);
  await expect(sendByKey(1)).rejects.toMatchObject({ code: 'daily_quota_exceeded', retryAfterSeconds: 43_200 });
  clock.advance(86_400_000);
  await sendByKey(3);
});
