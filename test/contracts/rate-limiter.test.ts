import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#platform/database';
import { InProcessRateLimiter, SharedRateLimiter } from '#rate-limit';
import { TestClock } from '../support/test-clock.js';
import { createTestDatabase, TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
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

/** Where PostgreSQL's clock stands within its second, in ms. */
async function intoTheWindow(): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT ((extract(epoch FROM clock_timestamp()) % 1) * 1000)::float8 AS ms',
  );
  return rows[0]?.ms ?? NaN;
}

async function freshWindow(): Promise<void> {
  await until(async () => (await intoTheWindow()) > 700);
  await until(async () => (await intoTheWindow()) < 200);
}

rateLimiterContract('in-process', (): RateLimiterSetup => ({
  make: (limit) => new InProcessRateLimiter(limit, clock),
  freshWindow: async () => clock.advance(1_000),
}));

rateLimiterContract('shared', (): RateLimiterSetup => ({
  make: (limit) => new SharedRateLimiter(limit, new Database(pool)),
  freshWindow,
}));

describe('several processes with the shared rate limiter', () => {
  it('never allow more than the limit together', async () => {
    const limiters = Array.from({ length: 4 }, () => new SharedRateLimiter(100, new Database(pool)));
    const teamId = newId();
    await freshWindow();

    const decisions = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 100 }, () => limiter.take(teamId))),
    );

    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(100);
  });

  it('ask the database far less often than they are asked', async () => {
    const counting = new Database(pool);
    let queries = 0;
    const query = counting.query.bind(counting);
    counting.query = (statement) => {
      queries++;
      return query(statement);
    };
    const limiter = new SharedRateLimiter(10_000, counting);
    const teamId = newId();
    await freshWindow();

    for (let request = 0; request < 1_000; request++) await limiter.take(teamId);

    expect(queries).toBeLessThanOrEqual(4);
  });

  it('leave what they hold unused at the end of its window', async () => {
    const [holder, other] = [10, 10].map((limit) => new SharedRateLimiter(limit, new Database(pool)));
    const teamId = newId();
    await freshWindow();
    await holder?.take(teamId);
    await freshWindow();

    const decisions = [];
    for (let request = 0; request < 12; request++) decisions.push(await other?.take(teamId));

    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(10);
  });

  it('keep to the clock of the database when a client reads it late', async () => {
    const client = new Client({ connectionString: testDatabase.url });
    await client.connect();
    const teamId = newId();
    await client.query(
      'INSERT INTO rate_limit_windows VALUES ($1, floor(extract(epoch FROM clock_timestamp())) + 1, 5, 5)',
      [teamId],
    );
    await client.end();
    const limiter = new SharedRateLimiter(5, new Database(pool));

    expect((await limiter.take(teamId)).allowed).toBe(false);
  });
});
