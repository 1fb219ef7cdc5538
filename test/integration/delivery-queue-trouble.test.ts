import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { newId } from '#kernel';
import { Database, DirectConnection, NamedSessions } from '#postgres/database';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { UnwrittenOutcomes } from '../../libs/delivery/src/infrastructure/persistence/postgres-outcome-log.js';
import { WorkerIdentity } from '../../libs/delivery/src/application/worker-identity.js';
import { SessionWorkerPresence } from '../../libs/delivery/src/infrastructure/persistence/session-worker-presence.js';
import { lane, QueueRig } from '../support/programs/queue-rig.js';
import { TestDatabase } from '../support/servers/test-database.js';
import { allRegions } from '../support/fakes/all-regions.js';

let rig: QueueRig;
let testDatabase: TestDatabase;
let database: Database;
let queue: PostgresDeliveryQueue;
let worker: string;
let enqueue: QueueRig['enqueue'];
let claim: QueueRig['claim'];
let lookOf: QueueRig['lookOf'];

beforeAll(async () => {
  rig = await QueueRig.create();
  ({ testDatabase, database, queue } = rig);
  enqueue = rig.enqueue.bind(rig);
  claim = rig.claim.bind(rig);
  lookOf = rig.lookOf.bind(rig);
});

afterAll(() => rig.drop());

beforeEach(async () => {
  await rig.reset();
  ({ worker } = rig);
});

it('a silent worker with an open database session is dead only after the longer limit', async () => {
  const session = new Client({ connectionString: testDatabase.url, application_name: `postrider-worker ${worker}` });
  await session.connect();
  await enqueue(1);
  await queue.acquireLane(lane, worker);
  await claim(1);
  await database.execute({ text: 'SELECT pg_sleep(0.05)' });
  expect(await queue.forgetDeadWorkers(newId(), 20, 600_000)).toBe(0);
  expect(await queue.forgetDeadWorkers(newId(), 20, 30)).toBe(1);
  await session.end();
});

it('a silent worker without a database session is dead after the shorter limit', async () => {
  await enqueue(1);
  await queue.acquireLane(lane, worker);
  await claim(1);
  await database.execute({ text: 'SELECT pg_sleep(0.05)' });
  expect(await queue.forgetDeadWorkers(newId(), 20, 600_000)).toBe(1);
});

it('a worker without a heartbeat since PostgreSQL started is dead only after the longer limit', async () => {
  await enqueue(1);
  await queue.acquireLane(lane, worker);
  await claim(1);
  await database.execute({
    text: `UPDATE workers SET heartbeat_at = pg_postmaster_start_time() - interval '1 minute'`,
  });
  expect(await queue.forgetDeadWorkers(newId(), 10_000, 86_400_000)).toBe(0);
  expect(await queue.forgetDeadWorkers(newId(), 10_000, undefined)).toBe(0);
  expect(await queue.forgetDeadWorkers(newId(), 10_000, 50_000)).toBe(1);
});

it('a heartbeat that times out on a lock does not end the session of the worker', async () => {
  const sessions = new NamedSessions(new DirectConnection(testDatabase.url));
  const identity = new WorkerIdentity();
  const presence = new SessionWorkerPresence(sessions, identity, { read: () => ({}) } as never, allRegions);
  const pids = (): Promise<unknown[]> =>
    database.query({
      text: 'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
      values: [`postrider-worker ${identity.id}`],
    });
  await presence.heartbeat();
  const before = await pids();
  await database.run(async (transaction) => {
    await transaction.execute({ text: 'LOCK TABLE workers IN ACCESS EXCLUSIVE MODE' });
    await expect(presence.heartbeat()).rejects.toMatchObject({ code: '55P03' });
  });
  await presence.heartbeat();
  expect(before).toHaveLength(1);
  expect(await pids()).toEqual(before);
  presence.end();
});

it('recipients of a lane that is returned after a database failure count as never tried', async () => {
  await enqueue(2);
  await queue.acquireLane(lane, worker);
  await claim(2);
  await queue.returnLane(lane, worker);
  expect(await lookOf()).toEqual([
    { attempt: 0, held: false },
    { attempt: 0, held: false },
  ]);
  expect(await database.query({ text: 'SELECT outcome FROM delivery_attempts' })).toEqual([]);
  expect(await queue.acquireLane(lane, worker)).toBe(true);
  expect(await claim(16)).toHaveLength(2);
});

it('nothing is claimed while outcomes cannot be written', async () => {
  await enqueue(1);
  await queue.acquireLane(lane, worker);
  const held = new PostgresDeliveryQueue(database, { areWaiting: true } as UnwrittenOutcomes, allRegions);
  expect((await held.claim(lane, worker, 1))?.claimed).toEqual([]);
  expect(await claim(1)).toHaveLength(1);
});

it.each(['abandonLane', 'returnLane'] as const)(
  '%s: lanes that fail together share few transactions',
  async (method) => {
    const lanes = Array.from({ length: 600 }, (_, n) => `mx:failed${n}.test`);
    await database.execute({
      text: `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address, worker_id, attempt)
           SELECT $3, no, 10, now(), now(), lane, 'a@b.test', $2, 1
           FROM unnest($1::text[]) WITH ORDINALITY AS failed (lane, no)`,
      values: [lanes, worker, newId()],
    });
    await database.execute({
      text: 'INSERT INTO lanes (name, worker_id, taken_at) SELECT lane, $2, now() FROM unnest($1::text[]) AS lane',
      values: [lanes, worker],
    });
    const transactions = jest.spyOn(database, 'run');
    await Promise.all(lanes.map((name) => queue[method](name, worker)));
    expect(transactions.mock.calls.length).toBeLessThanOrEqual(4);
    transactions.mockRestore();
    expect(await database.query({ text: 'SELECT 1 FROM outbound_queue WHERE worker_id IS NOT NULL' })).toEqual([]);
    expect(await database.query({ text: 'SELECT 1 FROM lanes' })).toEqual([]);
  },
);
