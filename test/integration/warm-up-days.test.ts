import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import type { ClaimedRecipient, PacedLane } from '#delivery';
import { newId } from '#kernel';
import { Database, ReadDatabase } from '#postgres/database';
import { Purges } from '#postgres/retention';
import { AnnounceWarmUp } from '../../libs/reputation/src/application/announce-warm-up.js';
import { PaceOfSenders } from '../../libs/reputation/src/application/pace-of-senders.js';
import { SlowedAgain, WarmUp } from '../../libs/reputation/src/application/ports/warm-ups.port.js';
import { Receivers } from '../../libs/reputation/src/application/receivers.js';
import { defaultSchedule } from '../../libs/reputation/src/domain/warm-up.js';
import { PostgresSlowedSenders } from '../../libs/reputation/src/infrastructure/persistence/postgres-slowed-senders.js';
import { PostgresWarmUps } from '../../libs/reputation/src/infrastructure/persistence/postgres-warm-ups.js';
import { ReputationPurge } from '../../libs/reputation/src/infrastructure/persistence/reputation-purge.js';
import { FakeClock } from '../support/fakes/fake-clock.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const hourMs = 3_600_000;
const midnight = new Date('2026-11-02T00:00:00Z');
const domainId = newId();

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let warmUps: PostgresWarmUps;
let clock: FakeClock;
/** What people were told of. */
let told: string[];
let claimers: readonly PaceOfSenders[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 8 });
  database = new Database(pool);
  warmUps = new PostgresWarmUps(new ReadDatabase(pool), database, { send: async () => undefined } as never);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.execute({
    text: 'TRUNCATE warm_ups, warm_up_providers, provider_hours, reputation_guards, paced_usage',
  });
  clock = new FakeClock(midnight);
  told = [];
});

const announcements = {
  slowedAgain: async ({ provider, day }: SlowedAgain) => void told.push(`${provider} ${day.bad} of ${day.sent}`),
} as unknown as AnnounceWarmUp;
const onEnd = async (): Promise<void> => void told.push('ended');

async function start(schedule = defaultSchedule): Promise<void> {
  const warmUp: WarmUp = { domainId, teamId: newId(), schedule, startedAt: clock.now(), endedAt: undefined };
  await database.run((transaction) => warmUps.start(warmUp, transaction));
  await restart();
}

/** Two workers that know nothing from before. */
async function restart(): Promise<void> {
  const receivers = new Receivers({} as never, { usesMailHosts: false });
  claimers = [1, 2].map(
    () => new PaceOfSenders(new PostgresSlowedSenders(database), warmUps, receivers, announcements, clock),
  );
  await refresh();
}

const refresh = (): Promise<unknown> => Promise.all(claimers.map((claimer) => claimer.refresh()));
const laneTo = (provider: string, kind: PacedLane['kind'] = 'all'): PacedLane => ({ domainId, provider, kind });

/** Both workers take at once, for transactional and for bulk mail, until neither gets anything. Returns how much went. */
async function takeAll(provider: string, wanted: number, atMost = Infinity): Promise<number> {
  let went = 0;
  for (;;) {
    const share = Math.min(wanted, Math.ceil((atMost - went) / 2));
    const taken = await Promise.all(
      claimers.map((claimer, no) => claimer.take(laneTo(provider, no === 0 ? 'all' : 'bulk'), share)),
    );
    const sum = taken.reduce((a, b) => a + b);
    went += sum;
    if (sum === 0 || went >= atMost) return went;
  }
}

async function outcomes(provider: string, at: Date, deferred: number, refusedAsSpam = 0): Promise<void> {
  await database.execute({
    text: `INSERT INTO provider_hours (domain_id, hour, provider, team_id, delivered, deferred, bounced, bad_addresses, refused_as_spam,
                                       complained)
           VALUES ($1, $2, $3, $1, 0, $4, 0, 0, $5, 0)`,
    values: [domainId, at, provider, deferred, refusedAsSpam],
  });
}

/** The part of a day that an hour may have, written down apart from the code. */
const hourly = (limit: number): number => Math.min(limit, Math.max(10, Math.ceil(limit / 10)));

const hourAt = (hours: number): void => clock.advance(midnight.getTime() + hours * hourMs - clock.now().getTime());

describe('thirty days of a warm-up with two workers', () => {
  const providers = ['google', 'yahoo', 'small.test'];
  /** Days, from 0 on, of which a tenth of the mail was bad. */
  const badDays: Readonly<Record<string, readonly number[]>> = { yahoo: [3, 7] };
  /** Messages of a day, where a provider gets less than it may. */
  const demands: Readonly<Record<string, number>> = { 'small.test': 20 };
  /** By provider and day. */
  const sent: Record<string, number[]> = { google: [], yahoo: [], 'small.test': [] };
  const faults: string[] = [];
  const ends: string[] = [];

  /** What the provider may get on the day, by what it got on the days before. Infinite after the last step. */
  function limitOn(provider: string, day: number): number {
    let step = 0;
    for (let before = 0; before < day; before++) {
      const isUsed = (sent[provider]?.[before] ?? 0) * 2 >= (defaultSchedule[step] ?? Infinity);
      if (isUsed && badDays[provider]?.includes(before) !== true) step++;
    }
    return defaultSchedule[step] ?? Infinity;
  }

  async function oneHour(provider: string, day: number, hour: number, limit: number): Promise<void> {
    const days = sent[provider] as number[];
    const left = (demands[provider] ?? Infinity) - (days[day] ?? 0);
    if (ends.at(-1) === 'ended') return;
    if (limit === Infinity) {
      const all = await claimers[0]?.take(laneTo(provider), 1_000_000);
      if (all !== 1_000_000) faults.push(`${provider} after the last day: ${all}`);
      return;
    }
    if (left <= 0) return;
    const went = await takeAll(provider, Math.ceil(hourly(limit) * 0.6), left);
    days[day] = (days[day] ?? 0) + went;
    if (went > hourly(limit) || days[day] > limit) faults.push(`${provider}, day ${day}, hour ${hour}: ${went}`);
    if (hour === 12 && badDays[provider]?.includes(day) === true) await outcomes(provider, clock.now(), limit / 10);
  }

  /** Five hours that the clock shows a second time. */
  async function setBack(day: number, hour: number): Promise<void> {
    for (let again = hour - 5; again < hour; again++) {
      hourAt(day * 24 + again);
      await restart();
      const [claimer] = claimers as [PaceOfSenders];
      const took = await Promise.all(['google', 'yahoo'].map((to) => claimer.take(laneTo(to), 100)));
      if (took.some((count) => count !== 0)) faults.push(`again on day ${day}: ${took.join()}`);
    }
  }

  it('no hour and no day gets more than its part, over restarts and a clock that is set back', async () => {
    await start();
    for (let day = 0; day < 30; day++) {
      const limits = providers.map((provider) => limitOn(provider, day));
      for (let hour = 0; hour < 24; hour++) {
        hourAt(day * 24 + hour);
        await (hour % 7 === 3 ? restart() : refresh());
        await Promise.all(providers.map((provider, no) => oneHour(provider, day, hour, limits[no] as number)));
        if (day % 5 === 2 && day < 20 && hour === 15) await setBack(day, hour);
      }
      await warmUps.endFinished(clock.now(), onEnd);
      ends.push((await warmUps.of(domainId))?.endedAt === undefined ? 'runs' : 'ended');
    }
    expect(faults).toEqual([]);
    expect(told).toEqual(['ended']);
    // Each day but the repeated ones used all of the next limit.
    expect(sent.google).toEqual(defaultSchedule);
    expect(sent.yahoo?.slice(0, 10)).toEqual([50, 100, 500, 1_000, 1_000, 2_000, 4_000, 8_000, 8_000, 16_000]);
    expect(sent.yahoo).toHaveLength(23);
    expect(new Set(sent['small.test'])).toEqual(new Set([20]));
  }, 180_000);

  it('it ends by itself, although a provider with little mail is at its beginning', () => {
    expect(ends.lastIndexOf('runs')).toBeGreaterThanOrEqual(21);
    expect(ends.at(-1)).toBe('ended');
  });
});

describe('a warm-up', () => {
  it('gives transactional and bulk mail one budget, and returns what found no mail to it', async () => {
    await start([50]);
    const [first, second] = claimers as [PaceOfSenders, PaceOfSenders];
    expect(await first.take(laneTo('google'), 6)).toBe(6);
    expect(await second.take(laneTo('google', 'bulk'), 64)).toBe(4);
    expect(second.mayGo(laneTo('google', 'bulk'))).toBe(false);
    await second.giveBack(laneTo('google', 'bulk'), 3);
    expect(await first.take(laneTo('google'), 64)).toBe(3);
    expect(await first.take(laneTo('yahoo'), 64)).toBe(10);
  });

  it('is asked from memory: mail of other domains, and to providers that are done, costs nothing', async () => {
    await start();
    const to = (of: string, isBulk = false): ClaimedRecipient =>
      ({ domainId: of, address: 'ann@gmail.com', isBulk }) as ClaimedRecipient;
    const [claimer] = claimers as [PaceOfSenders];
    expect(claimer.pacedAmong([to(newId()), to(newId(), true)])).toBeUndefined();
    const paced = await claimer.pacedAmong([to(newId()), to(domainId), to(domainId, true)]);
    expect([...(paced?.values() ?? [])]).toEqual([laneTo('google'), laneTo('google', 'bulk')]);
    await claimer.take(laneTo('google'), 1);
    await database.execute({ text: 'UPDATE warm_up_providers SET is_done = true' });
    await refresh();
    expect((await claimer.pacedAmong([to(domainId)]))?.size).toBe(0);
    expect(claimer.isShared(laneTo('google'))).toBe(false);
  });

  it('holds mail until the next hour or day, and says so', async () => {
    await start([12]);
    const [claimer] = claimers as [PaceOfSenders];
    expect(await claimer.holdOf(laneTo('google'))).toBeUndefined();
    await addDomain();
    expect(await claimer.take(laneTo('google'), 64)).toBe(10);
    expect(await claimer.holdOf(laneTo('google'))).toEqual({
      kind: 'warm_up',
      until: new Date(midnight.getTime() + hourMs),
      reason:
        'The domain warms up: 10 messages of acme.test to Google went this hour, where the limit is 10, a part of the 12 of today.',
    });
    clock.advance(hourMs);
    expect(await claimer.holdOf(laneTo('google'))).toBeUndefined();
    expect(await claimer.take(laneTo('google'), 64)).toBe(2);
    expect((await claimer.holdOf(laneTo('google')))?.until).toEqual(new Date(midnight.getTime() + 24 * hourMs));
  });

  it('and the guard hold mail together, as the stricter one says', async () => {
    await start([5_000]);
    await addDomain();
    await guard('bulk_slowed');
    const [claimer] = claimers as [PaceOfSenders];
    expect(await claimer.take(laneTo('google', 'bulk'), 64)).toBe(10);
    expect(await claimer.holdOf(laneTo('google', 'bulk'))).toMatchObject({ kind: 'reputation_guard' });
    // What the guard kept back was not spent.
    expect(await claimer.take(laneTo('google'), 10_000)).toBe(490);
    expect(await claimer.holdOf(laneTo('google', 'bulk'))).toMatchObject({ kind: 'warm_up' });
    await guard('bulk_paused');
    clock.advance(hourMs);
    expect(await claimer.take(laneTo('google', 'bulk'), 64)).toBe(0);
    expect(await claimer.holdOf(laneTo('google', 'bulk'))).toMatchObject({ kind: 'reputation_guard', until: null });
  });

  it('that is ended lets all go, and a new one begins at its first day with what went counted', async () => {
    await start([50, 100]);
    const [claimer] = claimers as [PaceOfSenders];
    expect(await claimer.take(laneTo('google'), 64)).toBe(10);
    await database.run((transaction) => warmUps.end(domainId, clock.now(), transaction));
    // A worker that was not told yet asks the database.
    expect(await claimer.take(laneTo('google'), 64)).toBe(64);
    await start([50, 100]);
    expect(await claimers[0]?.take(laneTo('google'), 64)).toBe(0);
    clock.advance(hourMs);
    expect(await claimers[0]?.take(laneTo('google'), 64)).toBe(10);
  });

  it('follows a clock that was set back by more than a day', async () => {
    await start([50, 100]);
    clock.advance(100 * 24 * hourMs);
    expect(await claimers[0]?.take(laneTo('google'), 64)).toBe(10);
    clock.advance(-90 * 24 * hourMs);
    await refresh();
    expect(await claimers[0]?.take(laneTo('google'), 64)).toBe(0);
    clock.advance(hourMs);
    expect(await claimers[0]?.take(laneTo('google'), 64)).toBe(10);
  });

  it('is forgotten a month after its end, and ends with its domain', async () => {
    await start();
    await claimers[0]?.take(laneTo('google'), 5);
    await addDomain();
    await removeOld();
    expect((await warmUps.of(domainId))?.endedAt).toBeUndefined();
    await database.execute({ text: 'DELETE FROM domains WHERE id = $1', values: [domainId] });
    await removeOld();
    expect((await warmUps.of(domainId))?.endedAt).toEqual(clock.now());
    clock.advance(29 * 24 * hourMs);
    await removeOld();
    expect(await warmUps.of(domainId)).toBeDefined();
    clock.advance(2 * 24 * hourMs);
    await removeOld();
    expect(await warmUps.of(domainId)).toBeUndefined();
    expect(await database.query({ text: 'SELECT FROM warm_up_providers' })).toEqual([]);
  });

  it('begins again at a provider that got nothing for a month', async () => {
    await start([20, 40]);
    for (const provider of ['google', 'yahoo']) await claimers[0]?.take(laneTo(provider), 10);
    clock.advance(29 * 24 * hourMs);
    await claimers[0]?.take(laneTo('yahoo'), 1);
    clock.advance(2 * 24 * hourMs);
    await removeOld();
    const providers = await warmUps.providersOf((await warmUps.of(domainId)) as WarmUp, clock.now(), 50);
    expect(providers.map(({ provider, ramp }) => [provider, ramp.step])).toEqual([['yahoo', 1]]);
  });

  it('counts refusals as spam of the day, and of its provider alone', async () => {
    await start([10, 20]);
    for (const provider of ['google', 'yahoo']) await claimers[0]?.take(laneTo(provider), 10);
    await outcomes('google', clock.now(), 0, 1);
    await outcomes('yahoo', new Date(midnight.getTime() - hourMs), 5);
    clock.advance(24 * hourMs);
    const warmUp = (await warmUps.of(domainId)) as WarmUp;
    const providers = await warmUps.providersOf(warmUp, clock.now(), 50);
    expect(providers.map(({ provider, ramp }) => [provider, ramp.lastDay?.decision, ramp.step])).toEqual([
      ['google', 'slowed', 0],
      ['yahoo', 'advanced', 1],
    ]);
  });
});

it('is told of once when it is slowed on two days running', async () => {
  await start([10, 20]);
  for (let day = 0; day < 5; day++) {
    for (const provider of ['google', 'yahoo']) await claimers[0]?.take(laneTo(provider), 5);
    await claimers[0]?.take(laneTo('google'), 5);
    await outcomes('google', clock.now(), 3);
    if (day % 2 === 0) await outcomes('yahoo', clock.now(), 3);
    clock.advance(24 * hourMs);
    await refresh();
  }
  expect(told).toEqual(['google 3 of 10']);
});

async function removeOld(): Promise<void> {
  const purge = new ReputationPurge(new Purges());
  for (const statement of purge.leftovers({ now: clock.now(), cutoff: clock.now() })) await database.execute(statement);
}

async function addDomain(): Promise<void> {
  await database.execute({
    text: `WITH team AS (INSERT INTO teams (id, name, created_at) VALUES ($1, 'Acme', now()) ON CONFLICT DO NOTHING)
           INSERT INTO domains (id, team_id, name, region, created_at, status, custom_return_path)
           VALUES ($1, $1, 'acme.test', 'eu-west-1', now(), 'verified', 'send')
           ON CONFLICT DO NOTHING`,
    values: [domainId],
  });
}

async function guard(step: string): Promise<void> {
  await database.execute({
    text: `INSERT INTO reputation_guards (domain_id, provider, team_id, step, since, look_at, evidence_from, counted_before, slow_pace,
                                          is_locked, is_settled)
           VALUES ($1, 'google', $1, $2, now(), now(), now(), '{}', 120, false, true)
           ON CONFLICT (domain_id, provider) DO UPDATE SET step = excluded.step`,
    values: [domainId, step],
  });
  await refresh();
}
