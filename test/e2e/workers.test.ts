import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ProgramProcess, startProgramProcess } from '../support/program-process.js';
import { testApiKey, testSender } from '../support/program.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

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
});

afterAll(async () => {
  if (program.child.exitCode === null && program.child.signalCode === null) await program.stop();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
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
  const answers = Array.from({ length: count }, (_, n) =>
    fetch(`${program.url}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: testSender, to: `user${n}@sink.test`, subject, text: 'Hello' }),
    }),
  );
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
}

const delivered = (subject: string): Set<string | undefined> =>
  new Set(
    sink.messages
      .filter(({ content }) => content.includes(`Subject: ${subject}\r\n`))
      .map(({ recipients }) => recipients[0]),
  );

it('worker processes deliver what the program accepts, are replaced when they die, and end with it', async () => {
  program = await start();
  await until(() => workersOf(program.pid).length === 2);
  await send(50, 'Before');
  await until(() => delivered('Before').size === 50, 60_000);

  const before = workersOf(program.pid);
  const sending = send(200, 'During');
  for (const worker of before) process.kill(worker, 'SIGKILL');
  await sending;
  await until(() => delivered('During').size === 200, 120_000);
  await until(() => workersOf(program.pid).filter((pid) => !before.includes(pid)).length === 2, 60_000);
  expect((await (await fetch(`${program.url}/metrics`)).text()).includes('postrider_worker_processes 2')).toBe(true);

  const workers = workersOf(program.pid);
  await send(100, 'Last');
  expect(await program.stop()).toBe(0);
  expect(workers.filter(isAlive)).toEqual([]);

  // What was not yet delivered when the stop began is delivered by the next start.
  program = await start();
  await until(() => delivered('Last').size === 100, 60_000);

  const orphans = workersOf(program.pid);
  expect(orphans).toHaveLength(2);
  await program.kill();
  await until(() => !orphans.some(isAlive), 100_000);
}, 600_000);
