import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { DnsServer } from '../../support/servers/dns-server.js';
import { processOfConnection } from '../../support/runner/process-of-connection.js';
import { testApiKey, testEnvironment, testSender } from '../../support/programs/program.js';
import {
  Conversation,
  ehlo,
  PhaseWatch,
  ScriptedSmtpServer,
  startTls,
} from '../../support/servers/scripted-smtp-server.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';
import { until } from '../../support/runner/until.js';

type Phase = Parameters<PhaseWatch>[0];

/** The phases in which a worker is killed, as the receiving server sees them: before its reply, except for `replied`. */
const phases: readonly Phase[] = [
  'banner',
  'ehlo',
  'starttls',
  'mail',
  'rcpt',
  'data',
  'content',
  'dot',
  'replied',
  'quit',
];
/** Sites that get mail at a time, so that both workers have some. */
const sites = 3;
/** Messages over one connection before it is ended with QUIT; a site has five connections. */
const messagesPerConnection = 100;

interface Trap {
  readonly phase: Phase;
  /** How often the phase passes before the kill. */
  passes: number;
  readonly spring: (conversation: Conversation) => Promise<void>;
}

interface Attempt {
  readonly outcome_unknown: boolean;
}

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let dns: DnsServer;
let sink: ScriptedSmtpServer;
let api: ServerProgram;
const workers = new Map<number, ServerProgram>();
const traps = new Set<Trap>();
const restarts: Promise<void>[] = [];
/** How often the sink has received the complete message for a recipient. */
const deliveries = new Map<string, number>();
/** The email id of each recipient whose email was accepted. */
const accepted = new Map<string, string>();
const killedWith = new Map<Phase, readonly string[]>();
let domains = 0;

const watch: PhaseWatch = (phase, conversation) => {
  if (phase === 'dot') {
    for (const recipient of conversation.recipients) deliveries.set(recipient, (deliveries.get(recipient) ?? 0) + 1);
  }
  const trap = [...traps].find((candidate) => candidate.phase === phase);
  if (trap === undefined || trap.passes-- > 0) return undefined;
  traps.delete(trap);
  return trap.spring(conversation);
};

async function run(roles: string): Promise<ServerProgram> {
  return runServerProgram({
    ...testEnvironment(database, await mkdtemp(join(dataDir, 'process-'))),
    ROLES: roles,
    DELIVERY_TRANSPORT: 'mx',
    MX_PORT: String(sink.port),
    ALLOW_PRIVATE_DESTINATIONS: 'true',
    HELO_NAME: 'client.test',
    DNS_SERVERS: dns.address,
  });
}

async function startWorker(): Promise<void> {
  const worker = await run('worker');
  workers.set(worker.pid, worker);
}

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-kill-'));
  dns = await DnsServer.listen();
  const script = { ehlo: ehlo('STARTTLS', 'PIPELINING', '8BITMIME', 'SIZE'), starttls: startTls() };
  sink = await ScriptedSmtpServer.listen(script, { host: '127.0.0.2', watch });
  api = await run('api');
  await Promise.all([startWorker(), startWorker()]);
});

afterAll(async () => {
  await Promise.allSettled(restarts);
  await Promise.all([api, ...workers.values()].map((program) => program.stop()));
  await sink.close();
  await dns.close();
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends mail to new sites. */
async function sendBurst(perSite: number, text: string): Promise<void> {
  for (let site = 0; site < sites; site++) {
    const domain = `s${++domains}.test`;
    dns.mx(domain, [10, `mx.${domain}`]).a(`mx.${domain}`, '127.0.0.2');
    const recipients = Array.from({ length: perSite }, (_, index) => `user${index}@${domain}`);
    for (let from = 0; from < perSite; from += 100) await sendBatch(recipients.slice(from, from + 100), text);
  }
}

async function sendBatch(recipients: readonly string[], text: string): Promise<void> {
  const response = await fetch(`${api.url}/emails/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(recipients.map((to) => ({ from: testSender, to, subject: 'Hello', text }))),
  });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { id: string }[] };
  for (const [index, { id }] of data.entries()) accepted.set(recipients[index] as string, id);
}

/** Kills the first worker that reaches the phase after `passes` passes. Resolves after the kill. */
function killAt(phase: Phase, passes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const spring = async (conversation: Conversation): Promise<void> => {
      const { peerPort, recipients } = conversation;
      const pid = await processOfConnection(peerPort, sink.port, [...workers.keys()]);
      const worker = workers.get(pid ?? 0);
      // The worker was killed before and its last bytes are read only now, or it is just starting.
      if (worker === undefined) return void arm(0);
      if (phase === 'replied') await until(isAnOutcomeWaiting);
      workers.delete(worker.pid);
      await worker.kill();
      killedWith.set(phase, recipients);
      restarts.push(startWorker());
      resolve();
    };
    const arm = (after: number): void => {
      traps.add({ phase, passes: after, spring: (conversation) => spring(conversation).catch(reject) });
    };
    arm(passes);
  });
}

/** Whether a worker has read its reply and waits to write the outcome: the table is locked. */
async function isAnOutcomeWaiting(): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM pg_locks WHERE relation = 'delivery_attempts'::regclass AND NOT granted`,
  );
  return rowCount !== 0;
}

async function attemptsOf(recipient: string): Promise<Attempt[]> {
  const response = await fetch(`${api.url}/emails/${accepted.get(recipient)}/trace`, {
    headers: { authorization: `Bearer ${testApiKey}` },
  });
  const trace = (await response.json()) as { recipients: { attempts: Attempt[] }[] };
  return trace.recipients.flatMap(({ attempts }) => attempts);
}

/** Mail for the phase: large for a kill within the content, and enough for a connection to reach its maximum. */
async function sendMailFor(phase: Phase): Promise<void> {
  if (phase === 'content') await sendBurst(5, `${'x'.repeat(70)}\n`.repeat(10_000));
  else if (phase === 'quit') await sendBurst(2 * messagesPerConnection, 'Hello');
  else await sendBurst(40, 'Hello');
}

function passesBefore(phase: Phase): number {
  const maxPasses = ['mail', 'rcpt', 'data', 'dot', 'replied'].includes(phase) ? 40 : 3;
  return Math.floor(Math.random() * maxPasses);
}

async function killInTurn(phase: Phase): Promise<void> {
  const killed = killAt(phase, passesBefore(phase));
  if (phase === 'replied') await sql.query('BEGIN; LOCK TABLE delivery_attempts IN SHARE MODE');
  await Promise.all([killed, sendMailFor(phase)]);
  if (phase === 'replied') await sql.query('COMMIT');
}

it('two workers killed in every phase of SMTP lose nothing, and repeat only attempts that are recorded with an unknown outcome', async () => {
  const inRandomOrder = phases.map((phase) => ({ phase, key: Math.random() })).sort((a, b) => a.key - b.key);
  const order = inRandomOrder.map(({ phase }) => phase);
  // Two at a time: the kills may hit one worker, the other, or both at once.
  const turn = async (): Promise<void> => {
    for (let phase = order.pop(); phase !== undefined; phase = order.pop()) await killInTurn(phase);
  };
  await Promise.all([turn(), turn()]);
  await Promise.all(restarts);

  // A recipient whose outcome was not written is tried again after a minute. The test does not wait for that.
  await until(async () => {
    await sql.query('UPDATE outbound_queue SET due_at = now() WHERE worker_id IS NULL AND due_at > now()');
    const { rows } = await sql.query<{ n: number }>('SELECT count(*)::int AS n FROM outbound_queue');
    return rows[0]?.n === 0;
  }, 240_000);

  expect([...killedWith.keys()].sort()).toEqual([...phases].sort());
  expect([...accepted.keys()].filter((recipient) => !deliveries.has(recipient))).toEqual([]);

  const repeated = [...deliveries].filter(([, count]) => count > 1);
  for (const [recipient, count] of repeated) {
    const unknown = (await attemptsOf(recipient)).filter((attempt) => attempt.outcome_unknown);
    expect([recipient, unknown.length >= count - 1]).toEqual([recipient, true]);
  }
  // Their reply was never read, or the outcome never written.
  for (const recipient of [...(killedWith.get('dot') ?? []), ...(killedWith.get('replied') ?? [])]) {
    expect(await attemptsOf(recipient)).toContainEqual(expect.objectContaining({ outcome_unknown: true }));
  }
  console.log(
    `${accepted.size} accepted, ${phases.length} kills, ${repeated.length} delivered more than once, none lost`,
  );
}, 600_000);
