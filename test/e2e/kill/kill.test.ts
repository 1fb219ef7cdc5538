import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testApiKey, testEnvironment, testSender } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';
import { processEnvironment } from '../../support/programs/start-for-test.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';
import { rounds } from '../../support/runner/rounds.js';
import { until } from '../../support/runner/until.js';

/** Kills, each at a random moment within a burst of requests. */
const kills = rounds(3, 4);
const emails = rounds(800, 1_200);
const senders = 16;

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let sink: SmtpSink;
let server: ServerProgram;

const start = (): Promise<ServerProgram> =>
  runServerProgram({
    ...testEnvironment(database, dataDir),
    ...processEnvironment,
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  });

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-kill-'));
  sink = await SmtpSink.listen({ keep: true });
  server = await start();
});

afterAll(async () => {
  await server.stop();
  await sink.close();
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The id, or undefined if the connection broke before the response: the email may have been accepted or not. */
async function send(index: number): Promise<string | undefined> {
  try {
    const response = await fetch(`${server.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: testSender, to: `user${index}@sink.test`, subject: `No ${index}`, text: 'Hello' }),
    });
    return response.ok ? ((await response.json()) as { id: string }).id : undefined;
  } catch {
    return undefined;
  }
}

async function killAndRestart(): Promise<void> {
  await server.kill();
  server = await start();
}

it('every email that was acknowledged is delivered, however often the server is killed', async () => {
  const accepted = new Map<string, string>();
  const killAt = Array.from({ length: kills }, (_, k) => Math.floor(((k + Math.random()) * emails) / kills));
  let next = 0;
  let restarting: Promise<void> | undefined;
  const sender = async (): Promise<void> => {
    while (next < emails) {
      const index = next++;
      if (killAt.includes(index)) restarting = killAndRestart();
      const id = await send(index);
      if (id === undefined) await restarting;
      else accepted.set(id, `user${index}@sink.test`);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  await restarting;
  expect(accepted.size).toBeGreaterThan(emails / 2);

  // A recipient whose outcome was not written is tried again after a minute. The test does not wait for that.
  await until(async () => {
    await sql.query('UPDATE outbound_queue SET due_at = now() WHERE worker_id IS NULL AND due_at > now()');
    const { rows } = await sql.query<{ n: number }>('SELECT count(*)::int AS n FROM outbound_queue');
    return rows[0]?.n === 0;
  }, 180_000);

  const deliveries = new Map<string, number>();
  for (const { recipients } of sink.messages) {
    for (const recipient of recipients) deliveries.set(recipient, (deliveries.get(recipient) ?? 0) + 1);
  }
  const lost = [...accepted.values()].filter((recipient) => !deliveries.has(recipient));
  expect(lost).toEqual([]);

  // Only attempts that were under way when a worker died are repeated. They are recorded as unknown.
  const repeated = [...deliveries].filter(([, count]) => count > 1).map(([recipient]) => recipient);
  const { rows } = await sql.query<{ address: string }>(
    `SELECT DISTINCT r.address FROM delivery_attempts a JOIN recipients r ON r.email_id = a.email_id AND r.no = a.recipient_no
     WHERE a.outcome = 'unknown'`,
  );
  const unknown = new Set(rows.map(({ address }) => address));
  expect(repeated.filter((recipient) => !unknown.has(recipient))).toEqual([]);
  console.log(`${accepted.size} acknowledged, ${kills} kills, ${repeated.length} delivered twice, none lost`);
}, 600_000);
