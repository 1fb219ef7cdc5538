import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { DueRun } from '../../libs/automations/src/application/ports/run-queue.port.js';
import { PostgresRunQueue } from '../../libs/automations/src/infrastructure/persistence/postgres-run-queue.js';
import { largeGraph } from '../support/builders/large-automation.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const limit = 100;
const now = new Date();

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let queue: PostgresRunQueue;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  database = new Database(pool);
});

beforeEach(async () => {
  await pool.query('TRUNCATE automation_runs, automation_awaited_events, automation_versions, automations');
  queue = new PostgresRunQueue(database);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

interface GivenRuns {
  readonly count: number;
  readonly payload?: object;
  readonly waitEvents?: object;
  readonly versions?: number;
  readonly graph?: object;
}

async function addRuns(given: GivenRuns, teamId = newId()): Promise<string> {
  const { count, payload = {}, waitEvents = null, versions = 1, graph = largeGraph('x', 1) } = given;
  const automationId = newId();
  await pool.query(
    `INSERT INTO automations (id, team_id, name, status, version, created_at) VALUES ($1, $2, 'A', 'enabled', 1, '2026-01-01')`,
    [automationId, teamId],
  );
  await pool.query(
    `INSERT INTO automation_versions (automation_id, version, graph, created_at)
     SELECT $1, version, $2, now() FROM generate_series(1, $3) AS version`,
    [automationId, JSON.stringify(graph), versions],
  );
  await pool.query(
    `INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email, payload,
       wait_events, status, step_key, due_at, created_at)
     SELECT gen_random_uuid(), $1, $2, 1 + no % $3, gen_random_uuid(), 'start', gen_random_uuid(), 'a@b.test', $5, $6, 'running',
       'start', $7, '2026-02-01' FROM generate_series(1, $4) AS no`,
    [teamId, automationId, versions, count, JSON.stringify(payload), waitEvents && JSON.stringify(waitEvents), now],
  );
  return teamId;
}

/** Ends the runs of one slice. */
function slice(): Promise<readonly DueRun[]> {
  return database.run(async (transaction) => {
    const due = await queue.claim(now, limit, transaction);
    const ended = due.map(({ run }) => ({ run, steps: [], passed: [], next: { status: 'completed' as const } }));
    await queue.record(ended, now, transaction);
    return due;
  });
}

const charactersOf = (due: readonly DueRun[]): number =>
  due.reduce((sum, { run: { payload, waitEvents } }) => sum + JSON.stringify([payload, waitEvents]).length, 0);

it.each([
  ['that PostgreSQL compresses', 'x'.repeat(60_000)],
  ['of numbers, which PostgreSQL writes out', Array.from({ length: 9_000 }, () => 1e308)],
])('a slice reads a bounded amount of the state of runs %s', async (_, value) => {
  const count = 60;
  const waitEvents = Object.fromEntries(Array.from({ length: 4 }, (_each, no) => [no, 'y'.repeat(60_000)]));
  await addRuns({ count, payload: { value }, waitEvents });
  const seen = new Set<string>();
  for (let slices = 0; slices < 60 && seen.size < count; slices++) {
    const due = await slice();
    expect(due.length).toBeGreaterThan(0);
    expect(charactersOf(due)).toBeLessThan(9_000_000);
    for (const { run } of due) {
      expect(run.payload).toEqual({ value });
      expect(run.waitEvents).toEqual(waitEvents);
      seen.add(run.id);
    }
  }
  expect(seen.size).toBe(count);
});

it('small runs of others come with the first large ones', async () => {
  await addRuns({ count: 100, payload: { value: 'x'.repeat(60_000) }, waitEvents: { a: 'y'.repeat(240_000) } });
  await slice();
  const quiet = await addRuns({ count: 10, payload: { plan: 'Pro' } });
  const due = await slice();
  expect(due.filter(({ run }) => run.teamId === quiet).length).toBe(10);
});

it('medium runs fill a slice', async () => {
  await addRuns({ count: 120, payload: { value: 'x'.repeat(3_000) } });
  expect((await slice()).length).toBe(limit);
});

it('a slice holds graphs of a bounded size, and the other runs stay due', async () => {
  await addRuns({ count: 60, versions: 60, graph: largeGraph('x', 9) });
  const [first, second] = [await slice(), await slice()];
  expect(first.length).toBeGreaterThan(10);
  expect(first.length).toBeLessThan(50);
  expect(first.length + second.length).toBe(60);
  expect([...first, ...second].every(({ graph }) => graph.all.length === 10)).toBe(true);
});

it('two workers claim each large run once, also while it is changed', async () => {
  await addRuns({ count: 50, payload: { value: 'x'.repeat(60_000) } });
  const changes = pool.connect().then(async (client) => {
    await client.query('BEGIN');
    await client.query(
      `UPDATE automation_runs SET payload = jsonb_set(payload, '{value}', to_jsonb(repeat('z', 60000)))`,
    );
    await client.query('SELECT pg_sleep(0.2)');
    await client.query('COMMIT');
    client.release();
  });
  const other = new PostgresRunQueue(database);
  const claimed: DueRun[] = [];
  for (let left = 50; left > 0;) {
    const both = await Promise.all(
      [queue, other].map((each) =>
        database.run(async (transaction) => {
          const due = await each.claim(now, limit, transaction);
          await transaction.query({ text: 'SELECT pg_sleep(0.05)' });
          const ended = due.map(({ run }) => ({ run, steps: [], passed: [], next: { status: 'completed' as const } }));
          await each.record(ended, now, transaction);
          return due;
        }),
      ),
    );
    claimed.push(...both.flat());
    left = Number((await pool.query('SELECT count(*) FROM automation_runs WHERE due_at IS NOT NULL')).rows[0].count);
  }
  await changes;
  expect(claimed.length).toBe(50);
  expect(new Set(claimed.map(({ run }) => run.id)).size).toBe(50);
});
