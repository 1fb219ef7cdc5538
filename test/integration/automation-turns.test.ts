import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { DueRun } from '../../libs/automations/src/application/ports/run-queue.port.js';
import { PostgresRunQueue } from '../../libs/automations/src/infrastructure/persistence/postgres-run-queue.js';
import { until } from '../support/runner/until.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const limit = 20;
const many = 10_000;
const now = new Date();
const later = new Date(now.getTime() + 86_400_000);

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let queue: PostgresRunQueue;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  database = new Database(pool);
  queue = new PostgresRunQueue(database);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function addRuns(teamId: string, count: number, dueAt: Date): Promise<void> {
  const automationId = newId();
  await pool.query(
    `INSERT INTO automations (id, team_id, name, status, version, created_at) VALUES ($1, $2, 'A', 'enabled', 1, '2026-01-01')`,
    [automationId, teamId],
  );
  const graph = { steps: [{ key: 'start', type: 'trigger', config: { event_name: 'x' } }], connections: [] };
  await pool.query('INSERT INTO automation_versions VALUES ($1, 1, $2, now())', [automationId, JSON.stringify(graph)]);
  await pool.query(
    `INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email, payload,
       status, step_key, due_at, created_at)
     SELECT gen_random_uuid(), $1, $2, 1, gen_random_uuid(), 'start', gen_random_uuid(), 'a@b.test', '{}', 'running', 'start', $4,
       '2026-02-01' FROM generate_series(1, $3)`,
    [teamId, automationId, count, dueAt],
  );
}

/** Ends the runs of one slice. Returns how many each team had. */
function slice(): Promise<Record<string, number>> {
  return database.run(async (transaction) => {
    const due: readonly DueRun[] = await queue.claim(now, limit, transaction);
    await queue.record(
      due.map(({ run }) => ({ run, steps: [], passed: [], next: { status: 'completed' } })),
      now,
      transaction,
    );
    const counts: Record<string, number> = {};
    for (const { run } of due) counts[run.teamId] = (counts[run.teamId] ?? 0) + 1;
    return counts;
  });
}

it('the runs of one team do not stand before those of the others', async () => {
  const [busy, quiet, sleeping] = [newId(), newId(), newId()].sort() as [string, string, string];
  await addRuns(busy, many, new Date(now.getTime() - 60_000));
  await addRuns(sleeping, many, later);
  expect(await slice()).toEqual({ [busy]: limit });
  await addRuns(quiet, 30, now);
  expect(await slice()).toEqual({ [busy]: limit / 2, [quiet]: limit / 2 });
  // The search begins with the first team again.
  const counted = [await slice(), await slice(), await slice(), await slice()];
  expect(counted.reduce((sum, { [quiet]: runs = 0 }) => sum + runs, 0)).toBeGreaterThanOrEqual(limit);
  expect(counted.every((each) => each[sleeping] === undefined)).toBe(true);
});

it('two workers never have the same run', async () => {
  const team = newId();
  await pool.query('DELETE FROM automation_runs');
  await addRuns(team, 200, now);
  const workers = [queue, new PostgresRunQueue(database)];
  const open = new Set<PostgresRunQueue>();
  const claimed = await Promise.all(
    workers.map((each) =>
      database.run(async (transaction) => {
        const ids = (await each.claim(now, 100, transaction)).map(({ run }) => run.id);
        open.add(each);
        await until(() => open.size === workers.length);
        return ids;
      }),
    ),
  );
  expect(new Set(claimed.flat()).size).toBe(claimed.flat().length);
});
