import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { OutgoingEmails } from '#emails';
import { Clock, newId } from '#kernel';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { GroupCommitMetrics, Metrics } from '#observability/metrics';
import { Suppressions } from '#suppressions';
import { SettleAttempts } from '../../libs/delivery/src/application/deliver-email.js';
import { FinishedAttempt } from '../../libs/delivery/src/domain/attempt.js';
import {
  AttemptTraces,
  OutcomeObserver,
  PostgresOutcomeLog,
  UnwrittenOutcomes,
} from '../../libs/delivery/src/infrastructure/persistence/postgres-outcome-log.js';
import { PostgresDeliveryQueue } from '../../libs/delivery/src/infrastructure/persistence/postgres-delivery-queue.js';
import { WorkerIdentity } from '../../libs/delivery/src/application/worker-identity.js';
import { PostgresEmailRepository } from '../../libs/emails/src/infrastructure/persistence/postgres-email-repository.js';
import { failedBecause } from '../../libs/emails/src/domain/withheld-recipient.js';
import { until } from '../support/runner/until.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { allRegions } from '../support/fakes/all-regions.js';

const teamId = newId();
const lane = 'relay';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let queue: PostgresDeliveryQueue;
let worker: WorkerIdentity;
let metrics: Metrics;
let attempts: SettleAttempts;
let suppressed: unknown[];
let unwritten: UnwrittenOutcomes;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // One connection: code that holds a transaction and asks for a second connection fails.
  pool = new Pool({ connectionString: testDatabase.url, max: 1, connectionTimeoutMillis: 2_000 });
  database = new Database(pool);
  unwritten = new UnwrittenOutcomes({ warn: () => undefined, error: () => undefined } as unknown as Logger);
  queue = new PostgresDeliveryQueue(database, unwritten, allRegions);
  worker = new WorkerIdentity();
  metrics = new Metrics();
  suppressed = [];
  attempts = settleWith(database, metrics);
  await queue.heartbeat(worker.id);
  await queue.acquireLane(lane, worker.id);
});

function settleWith(database: Database, metrics: Metrics): SettleAttempts {
  const nothing = undefined as never;
  const emails = new OutgoingEmails(new PostgresEmailRepository(database, nothing, nothing));
  const addSuppression = { add: async (added: unknown[]) => void suppressed.push(...added) };
  const clock: Clock = { now: () => new Date() };
  const traces = { record: () => undefined } as unknown as AttemptTraces;
  const observer = new OutcomeObserver(traces, new GroupCommitMetrics(metrics), metrics);
  const log = new PostgresOutcomeLog(database, clock, unwritten, observer);
  return new SettleAttempts(log, queue, emails, addSuppression as unknown as Suppressions, worker);
}

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function bounced(): Promise<FinishedAttempt> {
  const id = newId();
  await database.execute({
    text: `WITH email AS (
             INSERT INTO emails (id, team_id, domain_id, api_key_id, created_at, size, event_seq, last_event, message_id,
                                 "from", "to", subject)
             VALUES ($1, $2, $2, $2, now(), 1, 0, 'queued', '<a@b.test>', 'a@b.test', '{c@d.test}', 's')
           ), recipient AS (
             INSERT INTO recipients (email_id, no, status, address) VALUES ($1, 0, 'queued', 'c@d.test')
           )
           INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address)
           VALUES ($1, 0, 1, now(), now(), $3, 'c@d.test')`,
    values: [id, teamId, lane],
  });
  const [recipient] = (await queue.claim(lane, worker.id, 1))?.claimed ?? [];
  if (recipient === undefined) throw new Error('There was nothing to claim');
  const outcome = { kind: 'bounced', reason: 'gone', category: 'bad-address', detail: { durationMs: 1 } } as const;
  return { recipient, outcome, startedAt: new Date(), retryAt: undefined };
}

it('an outcome that suppresses its address uses only one connection', async () => {
  const attempt = await bounced();
  await attempts.settle(attempt);
  const { emailId } = attempt.recipient;
  expect(suppressed).toEqual([{ teamId, email: 'c@d.test', origin: 'bounce', sourceId: emailId }]);
});

const count = async (): Promise<number> =>
  Number(/^postrider_delivery_attempts_total\{outcome="bounced"\} (\d+)$/m.exec(await metrics.exposition())?.[1]);

it('a recipient that may get nothing any more is settled, but no attempt is counted', async () => {
  const attempt = await bounced();
  const before = await count();
  const withheld = failedBecause('domain_deleted');
  const outcome = { kind: 'bounced', reason: 'gone', withheld, detail: { durationMs: 0 } } as const;
  await attempts.settle({ ...attempt, outcome });
  expect(await count()).toBe(before);
});

it('an attempt that lost its lease is not counted', async () => {
  const attempt = await bounced();
  const { recipient } = attempt;
  const before = await count();
  await attempts.settle({ ...attempt, recipient: { ...recipient, lease: recipient.lease - 1 } });
  expect(await count()).toBe(before);
  await attempts.settle(attempt);
  expect(await count()).toBe(before + 1);
});

it('an outcome is kept while the database is away, and written once it is back', async () => {
  const attempt = await bounced();
  const { emailId } = attempt.recipient;
  let isAway = true;
  const trouble = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
  const run = database.run.bind(database);
  database.run = (work) => (isAway ? Promise.reject(trouble) : run(work));
  const recorded = attempts.settle(attempt);
  await until(() => unwritten.areWaiting);
  isAway = false;
  await recorded;
  database.run = run;
  expect(unwritten.areWaiting).toBe(false);
  expect(await attemptsOf(emailId)).toEqual([{ outcome: 'bounced', reason: 'gone' }]);
});

it('an outcome is written once if the connection breaks after the commit', async () => {
  const attempt = await bounced();
  const { emailId } = attempt.recipient;
  const run = database.run.bind(database);
  database.run = async (work) => {
    database.run = run;
    await run(work);
    throw new Error('Connection terminated unexpectedly');
  };
  await attempts.settle(attempt);
  expect(await attemptsOf(emailId)).toEqual([{ outcome: 'bounced', reason: 'gone' }]);
  const events = await database.query({
    text: 'SELECT type FROM email_events WHERE email_id = $1',
    values: [emailId],
  });
  expect(events).toEqual([{ type: 'email.bounced' }]);
});

it('outcomes of one team wait for no lock on emails of another', async () => {
  const ownPool = new Pool({ connectionString: testDatabase.url, max: 4 });
  const holder = new Client({ connectionString: testDatabase.url });
  await holder.connect();
  const blocked = [await bounced(), await bounced(), await bounced()];
  const free = await bounced();
  await holder.query('BEGIN');
  const ids = blocked.map(({ recipient }) => recipient.emailId);
  await holder.query('SELECT FROM emails WHERE id = ANY ($1) FOR UPDATE', [ids]);

  const own = settleWith(new Database(ownPool), new Metrics());
  const waiting = blocked.map((attempt) => own.settle(attempt));
  const settled = own.settle({ ...free, recipient: { ...free.recipient, teamId: newId() } }).then(() => 'settled');
  const late = new Promise((resolve) => setTimeout(() => resolve('late'), 12_000));
  const first = await Promise.race([settled, late]);
  await holder.end();
  await Promise.all([...waiting, settled]);
  await ownPool.end();

  expect(first).toBe('settled');
});

it('an outcome with values that the database refuses is written without its reply', async () => {
  const attempt = await bounced();
  const { emailId } = attempt.recipient;
  const detail = { durationMs: 1, replyCode: 99_999 };
  await attempts.settle({ ...attempt, outcome: { ...attempt.outcome, detail } });
  expect(await attemptsOf(emailId)).toEqual([{ outcome: 'bounced', reason: 'The reply could not be stored' }]);
});

function attemptsOf(emailId: string): Promise<unknown[]> {
  return database.query({
    text: 'SELECT outcome, reason FROM delivery_attempts WHERE email_id = $1',
    values: [emailId],
  });
}
