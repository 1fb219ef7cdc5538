import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { PostgresEventQueue } from '../../libs/automations/src/infrastructure/persistence/postgres-event-queue.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let queue: PostgresEventQueue;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  database = new Database(pool);
});

beforeEach(async () => {
  queue = new PostgresEventQueue(database);
  await pool.query('TRUNCATE automation_runs, custom_event_occurrences');
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

/** Runs of a contact that may wait for `paid`: they wait for it now, or have the goal `bought`. */
async function addRuns(teamId: string, contactId: string, count: number, goal: string | null): Promise<void> {
  const automationId = newId();
  await pool.query(
    `INSERT INTO automations (id, team_id, name, status, version, created_at) VALUES ($1, $2, 'A', 'enabled', 1, '2026-01-01')`,
    [automationId, teamId],
  );
  const steps = [
    { key: 'start', type: 'trigger', config: { event_name: 'x' } },
    { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid' } },
  ];
  const graph = { steps, connections: [{ from: 'start', to: 'wait' }] };
  await pool.query('INSERT INTO automation_versions VALUES ($1, 1, $2, now())', [automationId, JSON.stringify(graph)]);
  await pool.query(
    `INSERT INTO automation_runs (id, team_id, automation_id, version, event_id, trigger_key, contact_id, contact_email, payload,
       status, step_key, due_at, created_at, waiting_event, goals)
     SELECT gen_random_uuid(), $1, $2, 1, gen_random_uuid(), 'start', $4, 'a@b.test', '{}', 'running', 'wait', 'infinity',
       '2026-02-01', CASE WHEN $5::text IS NULL THEN 'paid' END, ARRAY[$5] FROM generate_series(1, $3)`,
    [teamId, automationId, count, contactId, goal],
  );
}

const paid = (teamId: string, contactId: string, maxRuns: number) => ({
  id: newId(),
  teamId,
  contactId,
  contactEmail: 'a@b.test',
  name: 'paid',
  payload: { maxRuns },
  position: 1,
  maxRuns,
});

it('reads one run more than an event may wake, and all of those for which fewer listen', async () => {
  const [busy, quiet] = [newId(), newId()];
  await addRuns(busy, busy, 100, null);
  await addRuns(quiet, quiet, 3, null);
  await addRuns(quiet, quiet, 2, 'bought');
  const events = [paid(busy, busy, 50), paid(busy, busy, 10), paid(quiet, quiet, 10)];
  const found = await database.run((transaction) => queue.listeningRuns(events, transaction));
  const countOf = (no: number, isWaiting: boolean): number =>
    found.filter((each) => each.event === events[no] && each.isWaiting === isWaiting).length;
  expect([countOf(0, true), countOf(1, true), countOf(2, true), countOf(2, false)]).toEqual([51, 11, 3, 2]);
});

it('an event that is held back is taken after a minute, and then after two', async () => {
  const [id, other] = [newId(), newId()];
  const now = new Date();
  const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
  await pool.query(
    `INSERT INTO custom_event_occurrences (id, team_id, event_name, payload) SELECT n, $1, 'paid', '{}' FROM unnest($2::uuid[]) n`,
    [newId(), [id, other]],
  );
  const taken = (at: Date): Promise<(readonly string[])[]> =>
    database.run(async (transaction) => {
      const [all, one] = [await queue.takeEvents(10, at, transaction), await queue.takeEvent(id, at, transaction)];
      return [all.map((event) => event.id), one.map((event) => event.id)];
    });
  expect(await taken(now)).toEqual([[id, other], [id]]);
  await queue.holdBack(id, now);
  expect(await taken(after(59))).toEqual([[other], []]);
  expect(await taken(after(60))).toEqual([[id, other], [id]]);
  await queue.holdBack(id, now);
  expect(await taken(after(119))).toEqual([[other], []]);
  expect(await taken(after(120))).toEqual([[id, other], [id]]);
  for (let no = 0; no < 110; no++) await queue.holdBack(id, now);
  expect(await taken(after(3_599))).toEqual([[other], []]);
  expect(await taken(after(3_600))).toEqual([[id, other], [id]]);
});
