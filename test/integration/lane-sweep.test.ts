import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#platform/database';
import { lanesWithWorkStatement } from '../../libs/delivery/src/infrastructure/persistence/lanes-with-work-statement.js';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { UnwrittenOutcomes } from '../../libs/delivery/src/infrastructure/persistence/unwritten-outcomes.js';
import { LaneSweep } from '../../libs/delivery/src/infrastructure/worker/lane-sweep.js';
import { createTestDatabase, TestDatabase } from '../support/test-database.js';

const worker = newId();
let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let queue: PostgresDeliveryQueue;
let woken: string[];
let sweep: LaneSweep;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 2 });
  database = new Database(pool);
  queue = new PostgresDeliveryQueue(database, { areWaiting: false } as UnwrittenOutcomes);
  await queue.beat(worker);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.execute({ text: 'TRUNCATE outbound_queue, lanes, lane_pauses' });
  woken = [];
  sweep = new LaneSweep(queue, worker, (lane) => woken.push(lane));
});

/** One recipient in each of so many lanes, due in so many seconds. */
async function enqueue(count: number, name: string, inSeconds: number): Promise<void> {
  await database.execute({
    text: `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address)
           SELECT gen_random_uuid(), 0, 10, now() + $2 * interval '1 second', now(), 'mx:' || $3 || no || '.test', 'a@b.test'
           FROM generate_series(1, $1::int) AS no`,
    values: [count, inSeconds, name],
  });
}

/** Sweeps until the lane is woken; how often that took. */
async function sweepsUntil(lane: string): Promise<number> {
  for (let sweeps = 1; sweeps <= 1_000; sweeps++) {
    await sweep.run();
    if (woken.includes(lane)) return sweeps;
  }
  throw new Error(`${lane} is never found`);
}

it('looks at so many lanes at a time and goes on behind them the next time', async () => {
  await enqueue(2_500, 'due', -1);
  const first = await queue.lanesWithWork(worker, undefined, 1_000);
  const second = await queue.lanesWithWork(worker, first.lookedAt, 1_000);
  const third = await queue.lanesWithWork(worker, second.lookedAt, 1_000);
  expect([first, second, third].map(({ lanes }) => lanes.length)).toEqual([1_000, 1_000, 500]);
  expect(third.lookedAt).toBeUndefined();
  const names = [first, second, third].flatMap(({ lanes }) => lanes.map(({ name }) => name));
  expect(new Set(names).size).toBe(2_500);
});

it('leaves out lanes of which everything due is held, and finds what is due behind it', async () => {
  await enqueue(1, 'held', -5);
  await database.execute({ text: 'UPDATE outbound_queue SET worker_id = $1', values: [worker] });
  expect((await queue.lanesWithWork(worker, undefined, 10)).lanes).toEqual([]);
  await enqueue(1, 'held', -1);
  expect((await queue.lanesWithWork(worker, undefined, 10)).lanes).toMatchObject([{ name: 'mx:held1.test' }]);
});

it('costs the same however many lanes wait, and finds every lane whatever its name', async () => {
  await enqueue(300_000, 'waiting', 3_600);
  await enqueue(1, 'zz-last', -1);
  await database.execute({ text: 'ANALYZE outbound_queue' });

  const { text, values } = lanesWithWorkStatement(worker, 'mx:waiting2', 1_000);
  const inline = (values ?? []).reduce<string>(
    (whole, value, at) =>
      whole.replaceAll(`$${at + 1}`, typeof value === 'number' ? String(value) : `'${String(value)}'`),
    text,
  );
  const plan = await database.query<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, COSTS OFF) ${inline}`,
  });
  const whole = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(whole).not.toContain('Seq Scan on outbound_queue');
  // A few pages for each lane looked at.
  expect(Number(/shared hit=(\d+)/.exec(whole)?.[1])).toBeLessThan(8 * 1_000);

  const startedAt = performance.now();
  const sweeps = await sweepsUntil('mx:zz-last1.test');
  const perSweep = (performance.now() - startedAt) / sweeps;
  process.stdout.write(`300,000 lanes: ${sweeps} sweeps of ${perSweep.toFixed(1)} ms\n`);
  // Each sweep looks at 2,000 lanes at least.
  expect(sweeps).toBeLessThanOrEqual(151);
  // Names before all others get their turn as well.
  await enqueue(1, '0-first', -1);
  expect(await sweepsUntil('mx:0-first1.test')).toBeLessThanOrEqual(151);
});
