import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { RedisClient } from '#queue/redis';
import {
  FallbackWindowLeases,
  GrantedLease,
  InProcessRateLimiter,
  PostgresWindowLeases,
  RateLimiter,
  RedisWindowLeases,
  SharedRateLimiter,
  WindowLeases,
} from '#rate-limit';
import { describeUnless, whyNo } from '../support/runner/unless.js';
import { RedisServer } from '../support/servers/redis-server.js';
import { TestClock } from '../support/fakes/test-clock.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';
import { rateLimiterContract, RateLimiterSetup } from './rate-limiter.contract.js';

const clock = new TestClock();
let testDatabase: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

/** The milliseconds of the current second on PostgreSQL's clock. */
async function msIntoWindow(): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT ((extract(epoch FROM clock_timestamp()) % 1) * 1000)::float8 AS ms',
  );
  return rows[0]?.ms ?? NaN;
}

async function freshWindow(): Promise<void> {
  await until(async () => (await msIntoWindow()) > 700);
  await until(async () => (await msIntoWindow()) < 200);
}

async function inOneWindow<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    await freshWindow();
    const before = await currentWindow();
    const result = await act();
    if ((await currentWindow()) === before) return result;
  }
}

async function currentWindow(): Promise<number> {
  const { rows } = await pool.query<{ window: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()))::float8 AS window',
  );
  return rows[0]?.window ?? NaN;
}

rateLimiterContract('in-process', (): RateLimiterSetup => {
  const nextWindow = async (): Promise<void> => clock.advance(1_000);
  return {
    make: (limit) => new InProcessRateLimiter(limit, clock),
    freshWindow: nextWindow,
    inOneWindow: (act) => nextWindow().then(act),
  };
});

/** The shared limiter on one store of windows, used by several processes. */
function sharedRateLimiter(name: string, windows: () => WindowLeases): void {
  const make = (limit: number, leases = windows()): RateLimiter => new SharedRateLimiter(limit, leases);

  rateLimiterContract(`shared on ${name}`, (): RateLimiterSetup => ({ make, freshWindow, inOneWindow }));

  describe(`several processes with the rate limiter shared on ${name}`, () => {
    it('never allow more than the limit together', async () => {
      const limiters = Array.from({ length: 4 }, () => make(100));
      const teamId = newId();

      const decisions = await inOneWindow(() =>
        Promise.all(limiters.flatMap((limiter) => Array.from({ length: 100 }, async () => limiter.take(teamId)))),
      );

      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(100);
    });

    it('ask the store far less often than requests come', async () => {
      const counting = windows();
      let questions = 0;
      const lease = counting.lease.bind(counting);
      counting.lease = (teamId, request) => {
        questions++;
        return lease(teamId, request);
      };
      const limiter = make(10_000, counting);
      const teamId = newId();

      await inOneWindow(async () => {
        questions = 0;
        for (let request = 0; request < 1_000; request++) await limiter.take(teamId);
      });

      expect(questions).toBeLessThanOrEqual(4);
    });

    it('drop what they leased when the limit of a team changes', async () => {
      let limit = 1_000;
      const limiter = new SharedRateLimiter(limit, windows(), () => limit);
      const teamId = newId();

      const decisions = await inOneWindow(async () => {
        limit = 1_000;
        await limiter.take(teamId);
        limit = 1;
        return Promise.all([limiter.take(teamId), limiter.take(teamId)]);
      });

      expect(decisions).toMatchObject([
        { allowed: false, limit: 1 },
        { allowed: false, limit: 1 },
      ]);
    });

    it('drop an unused lease at the end of its window', async () => {
      const [holder, other] = [make(10), make(10)];
      const teamId = newId();
      await freshWindow();
      await holder.take(teamId);

      const decisions = await inOneWindow(async () => {
        const taken = [];
        for (let request = 0; request < 12; request++) taken.push(await other.take(teamId));
        return taken;
      });

      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(10);
    });
  });
}

sharedRateLimiter('PostgreSQL', () => new PostgresWindowLeases(new Database(pool)));

it('a limit that is used up in a window ahead of the clock refuses requests', async () => {
  const teamId = newId();
  await pool.query(
    'INSERT INTO rate_limit_windows VALUES ($1, floor(extract(epoch FROM clock_timestamp())) + 1, 5, 5)',
    [teamId],
  );
  const limiter = new SharedRateLimiter(5, new PostgresWindowLeases(new Database(pool)));

  expect((await limiter.take(teamId)).allowed).toBe(false);
});

it('a request of the last millisecond of a window is granted by the next one', async () => {
  let windowEndsAt = Infinity;
  class LastMillisecond extends WindowLeases {
    lease(): Promise<GrantedLease> {
      if (windowEndsAt === Infinity) windowEndsAt = performance.now() + 1;
      return Promise.resolve({ granted: 1, used: 1, endsInMs: performance.now() < windowEndsAt ? 0 : 1_000 });
    }
  }
  expect(await new SharedRateLimiter(10, new LastMillisecond()).take('team')).toMatchObject({ allowed: true });
});

describeUnless(whyNo('redis-server', '--version'))('with Redis', () => {
  let server: RedisServer;
  let client: RedisClient;

  beforeAll(async () => {
    server = await RedisServer.start();
    client = new RedisClient([server.nextUrl()], Logger.create('fatal'));
    await until(() => client.redis.status === 'ready');
  });

  afterAll(async () => {
    client.close();
    await server.stop();
  });

  sharedRateLimiter('Redis', () => new RedisWindowLeases(client.redis));

  it('the limit holds on PostgreSQL while Redis is away, and on Redis when it is back and empty', async () => {
    const rows = new PostgresWindowLeases(new Database(pool));
    const limiters = [1, 2].map(
      () => new SharedRateLimiter(20, new FallbackWindowLeases(new RedisWindowLeases(client.redis), rows)),
    );
    const allowedOf = async (): Promise<number> => {
      const teamId = newId();
      const decisions = await inOneWindow(() =>
        Promise.all(limiters.flatMap((limiter) => Array.from({ length: 30 }, () => limiter.take(teamId)))),
      );
      return decisions.filter(({ allowed }) => allowed).length;
    };
    expect(await allowedOf()).toBe(20);
    await server.kill();
    expect(await allowedOf()).toBe(20);
    // Each limiter avoids Redis for a second after a failure, and they did not fail at the same moment.
    const rested = performance.now() + 1_000;
    await server.run();
    await until(() => client.redis.status === 'ready' && performance.now() > rested);
    expect(await allowedOf()).toBe(20);
  });
});
