import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { testApiKey, testSender } from '../support/programs/program.js';
import { SmtpSink } from '../support/servers/smtp-sink.js';
import { until } from '../support/runner/until.js';

let dataDir: string;
let sink: SmtpSink;
let program: ProgramProcess;

/** `WORKERS=2 npm start`, with nothing installed and all mail to the sink. */
const start = (): Promise<ProgramProcess> =>
  startProgramProcess({
    WORKERS: '2',
    DATA_DIR: dataDir,
    HTTP_PORT: '0',
    SMTP_LISTEN: 'none',
    LOG_LEVEL: 'error',
    BOOTSTRAP_API_KEY: testApiKey,
    DELIVERY_TRANSPORT: 'relay',
    RELAY_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
  });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-workers-'));
  sink = await SmtpSink.listen({ keep: true });
  program = await start();
  await until(() => workersOf(program.pid).length === 2, 60_000);
}, 120_000);

afterAll(async () => {
  if (program.child.exitCode === null && program.child.signalCode === null) await program.stop();
  await sink.close();
  // PostgreSQL ends by itself if the program was killed, a moment later.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function workersOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.includes('worker-process'))
    .map(([own]) => Number(own));
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function send(count: number, subject: string): Promise<void> {
  const requests = Array.from({ length: count }, (_, n) =>
    fetch(`${program.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: testSender, to: `user${n}@sink.test`, subject, text: 'Hello' }),
    }),
  );
  for (const response of await Promise.all(requests)) expect(response.status).toBe(200);
}

const exposition = async (): Promise<string> => (await fetch(`${program.url}/metrics`)).text();

/** All values of a metric, by their labels. */
function seriesOf(text: string, name: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), valueIn(line)]));
}

const valueIn = (line: string): number => Number(line.slice(line.lastIndexOf(' ') + 1));
const total = async (name: string): Promise<number> =>
  [...seriesOf(await exposition(), name).values()].reduce((sum, value) => sum + value, 0);

const delivered = (subject: string): Set<string | undefined> =>
  new Set(
    sink.messages
      .filter(({ content }) => content.includes(`Subject: ${subject}\r\n`))
      .map(({ recipients }) => recipients[0]),
  );

it('the metrics of the program include the work of its worker processes, and what each of them uses', async () => {
  await send(30, 'Measured');
  await until(async () => (await total('postrider_delivery_attempts_total')) === 30, 60_000);

  // One of them may have delivered everything before the other was ready.
  const memoryIn = (text: string): Map<string, number> => seriesOf(text, 'postrider_process_resident_memory_bytes');
  const text = await until(async () => {
    const now = await exposition();
    return memoryIn(now).size === 3 && now;
  }, 60_000);
  expect(seriesOf(text, 'postrider_delivery_attempts_total').get('{outcome="delivered"}')).toBe(30);
  expect(seriesOf(text, 'postrider_delivery_latency_seconds_count').get('')).toBe(30);
  expect(seriesOf(text, 'postrider_delivery_attempt_duration_seconds_count').get('{outcome="delivered"}')).toBe(30);
  expect(seriesOf(text, 'postrider_emails_accepted_total').get('{door="http"}')).toBe(30);
  // There is one disk and one calendar, however many processes report them.
  expect(seriesOf(text, 'postrider_disk_accepting')).toEqual(new Map([['', 1]]));
  expect(seriesOf(text, 'postrider_partitions_made_until_timestamp_seconds').get('')).toBeLessThan(4e9);

  const processes = ['{process="main"}', '{process="worker-1"}', '{process="worker-2"}'];
  expect([...memoryIn(text).keys()].sort()).toEqual(processes);
  for (const bytes of memoryIn(text).values()) expect(bytes).toBeGreaterThan(50e6);
  expect([...seriesOf(text, 'postrider_nodejs_eventloop_lag_p99_seconds').keys()].sort()).toEqual(processes);
  expect(seriesOf(text, 'postrider_database_connections').size).toBe(2 * processes.length);

  const values = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const unreadable = values.filter((line) => Number.isNaN(valueIn(line)) && !line.endsWith(' Nan'));
  expect(unreadable).toEqual([]);
}, 150_000);

it('a worker process that does not respond delays no scrape, and its counts are kept', async () => {
  const attempts = await total('postrider_delivery_attempts_total');
  expect(attempts).toBeGreaterThan(0);
  const [first = 0] = workersOf(program.pid);
  process.kill(first, 'SIGSTOP');
  try {
    expect(await total('postrider_delivery_attempts_total')).toBe(attempts);
    await until(async () => seriesOf(await exposition(), 'postrider_process_resident_memory_bytes').size === 2, 30_000);
  } finally {
    process.kill(first, 'SIGCONT');
  }
  await until(async () => seriesOf(await exposition(), 'postrider_process_resident_memory_bytes').size === 3, 30_000);

  process.kill(first, 'SIGKILL');
  await until(async () => !isAlive(first) && (await total('postrider_worker_processes')) === 2, 30_000);
  expect(await total('postrider_delivery_attempts_total')).toBe(attempts);
}, 120_000);

it('worker processes deliver what the program accepts, are replaced when they die, and end with it', async () => {
  await send(50, 'Before');
  await until(() => delivered('Before').size === 50, 60_000);

  const before = workersOf(program.pid);
  const sending = send(200, 'During');
  for (const worker of before) process.kill(worker, 'SIGKILL');
  await sending;
  await until(() => delivered('During').size === 200, 120_000);
  await until(() => workersOf(program.pid).filter((pid) => !before.includes(pid)).length === 2, 60_000);
  expect((await exposition()).includes('postrider_worker_processes 2')).toBe(true);

  const workers = workersOf(program.pid);
  await send(100, 'Last');
  expect(await program.stop()).toBe(0);
  expect(workers.filter(isAlive)).toEqual([]);

  // The next start delivers the mail that was not delivered before the stop.
  program = await start();
  await until(() => delivered('Last').size === 100, 60_000);

  const orphans = workersOf(program.pid);
  expect(orphans).toHaveLength(2);
  await program.kill();
  await until(() => !orphans.some(isAlive), 100_000);
}, 600_000);

it('a worker process ends if its program dies before the worker has started', async () => {
  const worker = spawn(process.execPath, [resolve('dist/apps/server/src/main.js'), 'worker-process'], {
    env: { PATH: process.env.PATH, DATA_DIR: join(dataDir, 'of-nobody'), HTTP_PORT: '0', SMTP_LISTEN: 'none' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(worker, 'exit');
  worker.disconnect();
  const killTimer = setTimeout(() => worker.kill('SIGTERM'), 60_000);
  await exited;
  clearTimeout(killTimer);
  expect(worker.exitCode).toBe(1);
}, 120_000);
