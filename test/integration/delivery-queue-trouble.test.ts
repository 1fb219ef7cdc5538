import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { newId } from '#kernel';
import { Database, NamedSessions } from '#platform/database';
import { ClaimedRecipient } from '../../libs/delivery/src/domain/finished-attempt.js';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { UnwrittenOutcomes } from '../../libs/delivery/src/infrastructure/persistence/unwritten-outcomes.js';
import { WorkerIdentity } from '../../libs/delivery/src/infrastructure/worker/worker-identity.js';
import { WorkerPresence } from '../../libs/delivery/src/infrastructure/worker/worker-presence.js';
import { DirectConnection } from '#platform/database';
import { createTestDatabase, TestDatabase } from '../support/test-database.js';

const lane = 'relay';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let queue: PostgresDeliveryQueue;
let worker: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  database = new Database(pool);
  queue = new PostgresDeliveryQueue(database, { areWaiting: false } as UnwrittenOutcomes);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.execute({ text: 'TRUNCATE outbound_queue, lanes, workers, delivery_attempts' });
  worker = newId();
  await queue.beat(worker);
});

async function enqueue(count: number): Promise<void> {
  await database.execute({
    text: `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address)
           SELECT $1, no, 10, now(), now(), $3, 'a@b.test' FROM generate_series(0, $2 - 1) AS no`,
    values: [newId(), count, lane],
  });
}

async function claim(limit: number): Promise<readonly ClaimedRecipient[]> {
  return (await queue.claim(lane, worker, limit)) ?? [];
}

function lookOf(): Promise<{ attempt: number; held: boolean }[]> {
  return database.query({
    text: 'SELECT attempt, worker_id IS NOT NULL AS held FROM outbound_queue ORDER BY recipient_no',
  });
}

it('a worker whose session stands is not dead while it is silent, but is once it has been silent for too long', async () => {
  const session = new Client({ connectionString: testDatabase.url, application_name: `postrider-worker ${worker}` });
  await session.connect();
  await enqueue(1);
  await queue.takeLane(lane, worker);
  await claim(1);
  await database.execute({ text: 'SELECT pg_sleep(0.05)' });
  expect(await queue.forgetDeadWorkers(newId(), 20, 600_000)).toBe(0);
  expect(await queue.forgetDeadWorkers(newId(), 20, 30)).toBe(1);
  await session.end();
});

it('a worker that is silent and has left the database is dead', async () => {
  await enqueue(1);
  await queue.takeLane(lane, worker);
  await claim(1);
  await database.execute({ text: 'SELECT pg_sleep(0.05)' });
  expect(await queue.forgetDeadWorkers(newId(), 20, 600_000)).toBe(1);
});

it('a worker that was not heard of since PostgreSQL started gets the time of one that has frozen', async () => {
  await enqueue(1);
  await queue.takeLane(lane, worker);
  await claim(1);
  await database.execute({
    text: `UPDATE workers SET heartbeat_at = pg_postmaster_start_time() - interval '1 minute'`,
  });
  expect(await queue.forgetDeadWorkers(newId(), 10_000, 86_400_000)).toBe(0);
  expect(await queue.forgetDeadWorkers(newId(), 10_000, undefined)).toBe(0);
  expect(await queue.forgetDeadWorkers(newId(), 10_000, 50_000)).toBe(1);
});

it('a heartbeat that waits for a lock does not cost the worker its session', async () => {
  const sessions = new NamedSessions(new DirectConnection(testDatabase.url));
  const identity = new WorkerIdentity();
  const presence = new WorkerPresence(sessions, identity);
  const pids = (): Promise<unknown[]> =>
    database.query({
      text: 'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
      values: [`postrider-worker ${identity.id}`],
    });
  await presence.beat();
  const before = await pids();
  await database.run(async (transaction) => {
    await transaction.execute({ text: 'LOCK TABLE workers IN ACCESS EXCLUSIVE MODE' });
    await expect(presence.beat()).rejects.toMatchObject({ code: '55P03' });
  });
  await presence.beat();
  expect(before).toHaveLength(1);
  expect(await pids()).toEqual(before);
  presence.end();
});

it('a lane that is returned after trouble of the database was never tried', async () => {
  await enqueue(2);
  await queue.takeLane(lane, worker);
  await claim(2);
  await queue.returnLane(lane, worker);
  expect(await lookOf()).toEqual([
    { attempt: 0, held: false },
    { attempt: 0, held: false },
  ]);
  expect(await database.query({ text: 'SELECT outcome FROM delivery_attempts' })).toEqual([]);
  expect(await queue.takeLane(lane, worker)).toBe(true);
  expect(await claim(16)).toHaveLength(2);
});

it('nothing is claimed while outcomes cannot be written', async () => {
  await enqueue(1);
  await queue.takeLane(lane, worker);
  const held = new PostgresDeliveryQueue(database, { areWaiting: true } as UnwrittenOutcomes);
  expect(await held.claim(lane, worker, 1)).toEqual([]);
  expect(await claim(1)).toHaveLength(1);
});
