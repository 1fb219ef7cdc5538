import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { startProgram, testEnvironment, testSender, TestProgram } from '../support/programs/program.js';
import { until } from '../support/runner/until.js';
import { DelayingProxy } from '../support/servers/delaying-proxy.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';

const roundTripMs = 150;
/** One email in turn cost 2.3 of them, besides what an idle worker asks. */
const maxRoundTrips = 1;
/** Per second: heartbeats, and looks for dead workers, moved domains, slowed senders and mail whose wake-up was lost. */
const maxIdleStatements = 10;
/** A worker is dead after 10 s of silence if its session has ended too, and another one must have been there for as long. */
const judgesAfterMs = 11_500;

let api: TestProgram;
let sql: Client;
let sink: SmtpSink;
let proxy: DelayingProxy;
let dataDir: string;
const workers: ProgramProcess[] = [];
let sent = 0;

async function start(role: 'delivery' | 'worker', databaseUrl: string): Promise<void> {
  const environment = testEnvironment(api.database, await mkdtemp(join(dataDir, 'worker-')));
  workers.push(
    await startProgramProcess({
      ...environment,
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: databaseUrl,
      ROLES: role,
      DELIVERY_TRANSPORT: 'relay',
      RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    }),
  );
}

/** `count`: a multiple of 100. */
async function send(count: number): Promise<void> {
  for (const until = sent + count; sent < until; sent += 100) {
    const emails = Array.from({ length: 100 }, (_, n) => ({
      from: testSender,
      to: `user${sent + n}@sink.test`,
      subject: 'From afar',
      text: 'x'.repeat(4_000),
    }));
    const response = await api.request('/emails/batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(emails),
    });
    expect(response.status).toBe(200);
  }
}

const settled = async (): Promise<number> => {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM delivery_attempts WHERE outcome = 'delivered'`,
  );
  return rows[0]?.count ?? 0;
};

beforeAll(async () => {
  sink = await SmtpSink.listen({ keep: true });
  api = await startProgram({ ROLES: 'api', RATE_LIMIT_PER_SECOND: '1000' });
  proxy = await DelayingProxy.listen(api.database.url, roundTripMs);
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-distance-'));
  sql = new Client({ connectionString: api.database.url });
  await sql.connect();
}, 60_000);

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await sql.end();
  await proxy.close();
  await api.stop();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

it('a worker far from PostgreSQL delivers many emails in one round trip', async () => {
  await send(600);
  await start('delivery', proxy.urlOf(api.database.url));
  await until(() => sink.count > 0, 30_000);
  const before = proxy.traffic.roundTrips;
  await until(() => sink.count >= sent, 30_000);
  expect((proxy.traffic.roundTrips - before) / sent).toBeLessThan(maxRoundTrips);
}, 60_000);

it('asks little while there is no mail', async () => {
  await until(async () => (await settled()) === sent, 10_000);
  // It keeps the lane for another second.
  await until(async () => (await sql.query('SELECT FROM lanes')).rowCount === 0, 10_000);
  const before = proxy.traffic.statements;
  const from = performance.now();
  await until(() => performance.now() - from > 5_000, 10_000);
  expect(proxy.traffic.statements - before).toBeLessThan(maxIdleStatements * 5);
}, 60_000);

it('what a worker held when it was cut off from PostgreSQL is neither lost nor sent twice', async () => {
  await until(async () => (await settled()) === sent, 10_000);
  const before = sink.count;
  await send(1_000);
  await until(() => sink.count > before + 100, 10_000);
  proxy.cut();
  await start('worker', api.database.url);
  const readyAt = performance.now();
  await until(() => performance.now() - readyAt > judgesAfterMs, 30_000);
  expect(sink.count).toBeLessThan(sent);
  proxy.restore();

  await until(async () => (await settled()) === sent, 30_000);
  const recipients = sink.messages.flatMap((message) => message.recipients);
  expect(new Set(recipients).size).toBe(sent);
  expect(recipients).toHaveLength(sent);
}, 90_000);
