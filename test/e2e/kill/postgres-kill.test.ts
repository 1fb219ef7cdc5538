import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { request } from 'undici';
import { DnsServer } from '../../support/servers/dns-server.js';
import { KillablePostgres } from '../../support/servers/killable-postgres.js';
import { ProgramProcess, startProgramProcess } from '../../support/programs/program-process.js';
import { testApiKey, testEnvironment, testSender } from '../../support/programs/program.js';
import { SmtpSink } from '../../support/servers/smtp-sink.js';
import { rounds } from '../../support/runner/rounds.js';
import { until } from '../../support/runner/until.js';

const kills = rounds(6, 12);
/** One outage is longer than the maximum age of a living worker's heartbeat. */
const longOutageMs = 13_000;
const emails = rounds(800, 1_200);
const senders = 16;
const sites = 12;

let postgres: KillablePostgres;
let dataDir: string;
let dns: DnsServer;
let sink: SmtpSink;
let api: ProgramProcess;
let workers: ProgramProcess[];

const run = async (roles: string): Promise<ProgramProcess> =>
  startProgramProcess({
    ...testEnvironment({ url: postgres.url, drop: async () => undefined }, await mkdtemp(join(dataDir, 'process-'))),
    LOG_LEVEL: 'fatal',
    ROLES: roles,
    DELIVERY_TRANSPORT: 'mx',
    MX_PORT: String(sink.port),
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    HELO_NAME: 'client.test',
    DNS_SERVERS: dns.address,
    RATE_LIMIT_PER_SECOND: '100000',
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-pgkill-'));
  [postgres, dns, sink] = await Promise.all([
    KillablePostgres.start(),
    DnsServer.listen(),
    SmtpSink.listen({ keep: true, host: '127.0.0.2' }),
  ]);
  for (let site = 0; site < sites; site++) {
    dns.mx(`s${site}.test`, [10, `mx.s${site}.test`]).a(`mx.s${site}.test`, '127.0.0.2');
  }
  api = await run('api');
  workers = await Promise.all([run('worker'), run('worker')]);
}, 300_000);

afterAll(async () => {
  await Promise.all([api, ...workers].map((program) => program.stop()));
  await Promise.all([sink.close(), dns.close()]);
  await postgres.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Not `fetch`, which has checks in these tests: the client must not limit the load. */
async function post(index: number, key: string | undefined): Promise<{ status: number; retryAfter: unknown }> {
  const { statusCode, headers, body } = await request(`${api.url}/emails`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testApiKey}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ from: testSender, to: recipient(index), subject: `No ${index}`, text: 'Hello' }),
  });
  await body.dump();
  return { status: statusCode, retryAfter: headers['retry-after'] };
}

const recipient = (index: number): string => `user${index}@s${index % sites}.test`;

it('killing PostgreSQL again and again under load loses nothing and sends nothing twice', async () => {
  const accepted = new Set<string>();
  const statuses = new Map<number, number>();
  let next = 0;

  /** Every second client repeats its request with one key until it succeeds. The others send it once. */
  const sendOne = async (index: number): Promise<void> => {
    const key = index % 2 === 0 ? `key-${index}` : undefined;
    do {
      const { status, retryAfter } = await post(index, key);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) return void accepted.add(recipient(index));
      if (status === 503) expect(retryAfter).toMatch(/^\d+$/);
      await delay(50);
    } while (key !== undefined);
  };
  const sender = async (): Promise<void> => {
    while (next < emails) await sendOne(next++);
  };

  const sending = Promise.all(Array.from({ length: senders }, sender));
  for (let kill = 0; kill < kills; kill++) {
    // The kills follow the load, not the clock, so that mail is under way at each kill.
    const from = (kill * emails) / kills;
    await until(() => next >= Math.min(emails - 1, from + Math.random() * 50), 60_000);
    await delay(Math.random() * 200);
    await postgres.kill();
    await delay(kill === kills / 2 ? longOutageMs : Math.random() * 800);
    await postgres.restart();
  }
  await sending;

  const sql = new Client({ connectionString: postgres.url });
  await sql.connect();
  await until(async () => {
    await sql.query('UPDATE outbound_queue SET due_at = now() WHERE worker_id IS NULL AND due_at > now()');
    const { rows } = await sql.query<{ n: number }>('SELECT count(*)::int AS n FROM outbound_queue');
    return rows[0]?.n === 0;
  }, 120_000);

  const deliveries = new Map<string, number>();
  for (const { recipients } of sink.messages) {
    for (const recipient of recipients) deliveries.set(recipient, (deliveries.get(recipient) ?? 0) + 1);
  }
  const repeated = [...deliveries].filter(([, count]) => count > 1);
  const { rows: attempts } = await sql.query<{ outcome: string; n: number }>(
    'SELECT outcome, count(*)::int AS n FROM delivery_attempts GROUP BY 1 ORDER BY 1',
  );
  const { rows: doubled } = await sql.query('SELECT address FROM recipients GROUP BY 1 HAVING count(*) > 1');
  await sql.end();
  console.log(
    `${accepted.size} acknowledged, statuses ${JSON.stringify([...statuses])}, ${kills} kills, ` +
      `${repeated.length} delivered twice, attempts ${JSON.stringify(attempts)}`,
  );
  expect([...accepted].filter((recipient) => !deliveries.has(recipient))).toEqual([]);
  expect(repeated).toEqual([]);
  expect(doubled).toEqual([]);
  expect(attempts).toEqual([{ outcome: 'delivered', n: deliveries.size }]);
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
}, 600_000);
