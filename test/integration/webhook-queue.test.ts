import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { TeamEvents } from '#events';
import { newId, Notices } from '#kernel';
import { Database } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { SecretBox } from '#platform/secrets';
import { WebhookLanesWithWork } from '../../libs/webhooks/src/application/ports/message-queue.port.js';
import { messageStatuses } from '../../libs/webhooks/src/domain/webhook-message.js';
import { SettledCall } from '../../libs/webhooks/src/application/ports/webhook-calls.port.js';
import { SettleCalls } from '../../libs/webhooks/src/application/drain-endpoint.use-case.js';
import {
  PostgresCallLog,
  settleStatement,
} from '../../libs/webhooks/src/infrastructure/persistence/postgres-call-log.js';
import { PostgresMessageLog } from '../../libs/webhooks/src/infrastructure/persistence/postgres-message-log.js';
import {
  PostgresMessageQueue,
  PostgresStoredEvents,
} from '../../libs/webhooks/src/infrastructure/persistence/postgres-message-queue.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 8 });
  database = new Database(pool);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function addWebhook(status = 'enabled'): Promise<string> {
  const [teamId, id] = [newId(), newId()];
  await database.execute({ text: `INSERT INTO teams VALUES ($1, 'Acme', now())`, values: [teamId] });
  await database.execute({
    text: `INSERT INTO webhooks (id, team_id, created_at, endpoint, events, status, sealed_secret)
           VALUES ($1, $2, now(), 'https://hooks.test', '{email.sent}', $3, '')`,
    values: [id, teamId, status],
  });
  return id;
}

async function addMessages(webhookId: string, count: number): Promise<void> {
  await database.execute({
    text: `WITH added AS (
             INSERT INTO webhook_messages (id, webhook_id, source_id, created_at, seq, type, status)
             SELECT id, $1, id, now(), 1, 'email.sent', 'pending' FROM unnest($2::uuid[]) AS ids (id) RETURNING *
           )
           INSERT INTO webhook_queue (message_id, webhook_id, source_id, created_at, due_at, seq, type)
           SELECT id, webhook_id, source_id, created_at, created_at, seq, type FROM added`,
    values: [webhookId, Array.from({ length: count }, () => newId())],
  });
}

it('endpoints with work are listed in pages, each from the end of the page before', async () => {
  const queue = new PostgresMessageQueue(database, {} as SecretBox);
  const [worker, other] = [newId(), newId()];
  const webhooks: string[] = [];
  for (const status of ['enabled', 'disabled', 'enabled', 'enabled', 'enabled']) {
    webhooks.push(await addWebhook(status));
    await addMessages(webhooks[webhooks.length - 1] as string, 2);
  }
  await queue.acquireLane(webhooks[2] as string, other);
  await queue.acquireLane(webhooks[3] as string, worker);
  const look = (after?: string): Promise<WebhookLanesWithWork> => queue.lanesWithWork(worker, new Date(), after, 2);

  const [first, , , fourth, fifth] = webhooks;
  expect(await look()).toEqual({ webhookIds: [first], last: webhooks[1] });
  expect(await look(webhooks[1])).toEqual({ webhookIds: [fourth], last: fourth });
  expect(await look(fourth)).toEqual({ webhookIds: [fifth], last: undefined });
  await database.execute({ text: 'TRUNCATE webhook_queue' });
  expect(await look()).toEqual({ webhookIds: [], last: undefined });
});

/** Calls of all queued messages: the second half succeeded, the others will be tried again. */
async function callsOf(webhookId: string): Promise<SettledCall[]> {
  const rows = await database.query<{ id: string; attempt: number; round: number }>({
    text: `SELECT message_id AS id, attempt, round FROM webhook_queue WHERE webhook_id = $1 ORDER BY message_id`,
    values: [webhookId],
  });
  const now = new Date();
  return rows.map((row, at) => {
    const isSuccess = at >= rows.length / 2;
    return {
      call: {
        message: { ...row, webhookId, type: 'email.sent', source: { id: row.id, seq: 1 }, createdAt: now },
        sentAt: now,
        result: { status: isSuccess ? 200 : 500, response: '', durationMs: 1 },
      },
      attemptId: newId(),
      ...(isSuccess ? { status: 'success', dueAt: undefined } : { status: 'attempting', dueAt: now }),
    };
  });
}

/** The first transaction cannot connect, and the second one loses its connection after the commit. */
function flakyDatabase(): { readonly flaky: Database; readonly tries: () => number } {
  const flaky = new Database(pool);
  const run = flaky.run.bind(flaky);
  let tries = 0;
  flaky.run = async (work) => {
    if (++tries === 1) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const written = await run(work);
    if (tries === 2) throw new Error('Connection terminated unexpectedly');
    return written;
  };
  return { flaky, tries: () => tries };
}

const settlingOn = (database: Database): SettleCalls =>
  new SettleCalls(
    new PostgresCallLog(database, { now: () => new Date() }, Logger.create('fatal'), new Metrics()),
    {} as Notices,
  );

it('the result of a call is kept while the database is away, and written once', async () => {
  const webhookId = await addWebhook();
  await addMessages(webhookId, 2);
  const calls = (await callsOf(webhookId)).map(({ call }) => call);
  const { flaky, tries } = flakyDatabase();
  const calling = settlingOn(flaky);
  await Promise.all(calls.map((call) => calling.settle(call)));
  expect(tries()).toBe(3);
  const attempts = await database.query({
    text: 'SELECT http_status FROM webhook_attempts WHERE message_id = ANY ($1::uuid[]) ORDER BY 1',
    values: [calls.map(({ message }) => message.id)],
  });
  expect(attempts).toEqual([{ http_status: 200 }, { http_status: 500 }]);
});

it.each([
  ['enabled', 'up'],
  ['disabled', 'disabled'],
])('failures of an endpoint that is %s count once, however often the write is tried', async (status, state) => {
  const webhookId = await addWebhook(status);
  await addMessages(webhookId, 2);
  const calls = (await callsOf(webhookId)).map(({ call }) => ({ ...call, result: { ...call.result, status: 500 } }));
  const calling = settlingOn(flakyDatabase().flaky);

  expect(await Promise.all(calls.map((call) => calling.settle(call)))).toEqual([state, state]);
  const text = 'SELECT failures FROM webhooks WHERE id = $1';
  expect(await database.query({ text, values: [webhookId] })).toEqual([{ failures: 2 }]);
});

it('calls that end during a replay do not deadlock with it, and every message is replayed completely', async () => {
  const webhookId = await addWebhook();
  await addMessages(webhookId, 200);
  const log = new PostgresMessageLog(database, {} as TeamEvents);
  const everything = { from: undefined, to: undefined, types: undefined, statuses: messageStatuses };
  const replay = (): Promise<unknown> => log.replayBatch(webhookId, everything, undefined, 1_000, new Date());

  for (let round = 0; round < 20; round++) {
    const calls = await callsOf(webhookId);
    await Promise.all([database.execute(settleStatement(calls)), replay(), replay()]);
    expect(
      await database.query({
        text: `SELECT m.status, q.message_id IS NOT NULL AS queued, count(*)::int AS count
               FROM webhook_messages m LEFT JOIN webhook_queue q ON q.message_id = m.id
               WHERE m.webhook_id = $1 GROUP BY 1, 2`,
        values: [webhookId],
      }),
    ).toEqual([{ status: 'pending', queued: true, count: 200 }]);
  }
});

it('the data of large events is not loaded with that of small ones', async () => {
  const events = new PostgresStoredEvents(database);
  const data = ['{"a":1}', JSON.stringify({ a: 'x'.repeat(10_000) })];
  const sources = data.map(() => ({ id: newId(), seq: null }));
  await database.execute({
    text: `INSERT INTO team_events (id, team_id, type, data, created_at)
           SELECT id, $1, 'contact.updated', data, now() FROM unnest($2::uuid[], $3::json[]) AS e (id, data)`,
    values: [newId(), sources.map(({ id }) => id), data],
  });
  const small = { kind: 'team', data: data[0] };
  const unknown = { id: newId(), seq: null };
  expect(await events.loadSmall([...sources, unknown])).toEqual([small, { kind: 'large', bytes: 10_008 }, undefined]);
  expect(await events.load(sources)).toEqual([small, { kind: 'team', data: data[1] }]);
});
