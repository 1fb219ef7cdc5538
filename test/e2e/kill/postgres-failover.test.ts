import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { request } from 'undici';
import { Database, NotReplicatedError } from '#postgres/database';
import { ProgramProcess, startProgramProcess } from '../../support/programs/program-process.js';
import { testApiKey, testSender } from '../../support/programs/program.js';
import { rounds } from '../../support/runner/rounds.js';
import { until } from '../../support/runner/until.js';
import { PostgresPair } from '../../support/servers/postgres-pair.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';
import { stretched } from '../../support/runner/stretched.js';

const senders = 16;
const promotions = rounds(2, 3);
const emailsOfEachPart = 1_250;
/** The standby takes over this long after the primary has died. */
const outageMs = 2_000;
/** The promise: requests are answered again this long after the standby has taken over. */
const maxAbsenceMs = stretched(5_000);

let postgres: PostgresPair;
let sink: SmtpSink;
let dataDir: string;
let api: ProgramProcess;
let worker: ProgramProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-failover-'));
  [postgres, sink] = await Promise.all([PostgresPair.start(), SmtpSink.listen({ keep: true })]);
  const run = async (roles: string): Promise<ProgramProcess> =>
    startProgramProcess({
      DATABASE_URL: postgres.url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_API_KEY: testApiKey,
      DATA_DIR: await mkdtemp(join(dataDir, 'process-')),
      ROLES: roles,
      DATABASE_READ_URL: postgres.standby.url,
      HTTP_PORT: '0',
      SMTP_LISTEN: 'none',
      LOG_LEVEL: 'fatal',
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      RATE_LIMIT_PER_SECOND: '100000',
    });
  api = await run('api');
  worker = await run('worker');
}, 120_000);

afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()]);
  await Promise.all([sink.close(), postgres.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

const recipient = (index: number): string => `user${index}@customer.test`;

/** Not `fetch`, which has checks in these tests: the client must not limit the load. */
async function post(index: number): Promise<number> {
  const { statusCode, body } = await request(`${api.url}/emails`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testApiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `key-${index}`,
    },
    body: JSON.stringify({ from: testSender, to: recipient(index), subject: `No ${index}`, text: 'Hello' }),
  });
  await body.dump();
  return statusCode;
}

/** Whether a search finds what was accepted, whichever server answers. */
async function isFound(index: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${testApiKey}` };
  const { statusCode, body } = await request(`${api.url}/emails?recipient=${recipient(index)}`, { headers });
  expect(statusCode).toBe(200);
  const { data } = (await body.json()) as { data: unknown[] };
  return data.length === 1;
}

/** Reads that the standby has answered. */
async function readsOfStandby(): Promise<number> {
  const metrics = await (await request(`${api.url}/metrics`)).body.text();
  return Number(/postrider_standby_reads_total\{server="standby"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}

/** PostgreSQL reports a commit as a success if its wait for the standby is cancelled. */
async function expectNoUnconfirmedSuccess(url: string): Promise<void> {
  const pool = new Pool({ connectionString: url });
  const database = new Database(pool);
  const text = `INSERT INTO notices (key, subject, text, created_at, due_at) VALUES ('unconfirmed', '', '', now(), now())`;
  const written = expect(database.execute({ text })).rejects.toThrow(NotReplicatedError);
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'`;
  await until(async () => (await database.query({ text: cancel })).length > 0, 10_000);
  await written;
  await pool.end();
}

it('when standbys take over, nothing acknowledged is lost, nothing is sent twice, and an old primary gets no writes', async () => {
  const statuses = new Map<number, number>();
  let next = 0;
  let lastAnswer = 0;
  const sendUntil = (end: number): Promise<unknown> => {
    const sender = async (): Promise<void> => {
      while (next < end) {
        const index = next++;
        for (let status = 0; status !== 200;) {
          status = await post(index);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 200) lastAnswer = performance.now();
          else await delay(50);
        }
      }
    };
    return Promise.all(Array.from({ length: senders }, sender));
  };

  expect(await post(next++)).toBe(200);
  await until(async () => (await isFound(0)) && (await readsOfStandby()) > 0);
  const absences: number[] = [];
  for (let round = 1; round <= promotions; round++) {
    if (round > 1) await postgres.replaceStandby();
    const underFailover = sendUntil(round * emailsOfEachPart);
    await until(() => next > (round - 0.5) * emailsOfEachPart, 60_000);
    await postgres.killPrimary();
    await delay(outageMs);
    await postgres.promote();
    const promotedAt = performance.now();
    await until(() => lastAnswer > promotedAt, 30_000);
    absences.push(lastAnswer - promotedAt);
    await underFailover;
    expect(await isFound(round * emailsOfEachPart - 1)).toBe(true);
  }

  await postgres.reviveOldPrimary();
  const old = new Client({ connectionString: postgres.primary.url });
  await old.connect();
  const countOfOld = async (): Promise<unknown> =>
    (await old.query<{ n: number }>('SELECT count(*)::int AS n FROM emails')).rows[0]?.n;
  const before = await countOfOld();
  await sendUntil((promotions + 1) * emailsOfEachPart);
  expect(await countOfOld()).toBe(before);
  await old.end();
  await expectNoUnconfirmedSuccess(postgres.primary.url);

  const sql = new Client({ connectionString: postgres.standby.url });
  await sql.connect();
  await until(async () => {
    await sql.query('UPDATE outbound_queue SET due_at = now() WHERE worker_id IS NULL AND due_at > now()');
    return (await sql.query('SELECT FROM outbound_queue LIMIT 1')).rowCount === 0;
  }, 60_000);
  const { rows: attempts } = await sql.query('SELECT outcome, count(*)::int AS n FROM delivery_attempts GROUP BY 1');
  await sql.end();

  const deliveries = new Map<string, number>();
  for (const { recipients } of sink.messages) {
    for (const address of recipients) deliveries.set(address, (deliveries.get(address) ?? 0) + 1);
  }
  const all = Array.from({ length: (promotions + 1) * emailsOfEachPart }, (_, index) => recipient(index));
  console.log(
    `answers again ${absences.map(Math.round).join(', ')} ms after the promotions, statuses ${JSON.stringify([...statuses])}`,
  );
  expect(all.filter((address) => deliveries.get(address) !== 1)).toEqual([]);
  expect(attempts).toEqual([{ outcome: 'delivered', n: all.length }]);
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(Math.max(...absences)).toBeLessThan(maxAbsenceMs);
}, 480_000);
