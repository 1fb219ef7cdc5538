import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startProgram } from '../support/programs/program.js';
import { inOneProcess } from '../support/programs/start-for-test.js';
import { until } from '../support/runner/until.js';

interface Run {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
}

let dataDir: string;
const runs: Run[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-lifecycle-'));
});

afterAll(async () => {
  for (const { child, exited } of runs) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** The built program with nothing but a data directory, as `npm start` runs it. */
function run(environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [resolve('dist/apps/server/src/main.js')], {
    env: { PATH: process.env.PATH, HTTP_PORT: '0', SMTP_LISTEN: 'none', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const result = { child, output: () => output, exited: once(child, 'exit').then(([code]) => code as number | null) };
  runs.push(result);
  return result;
}

function ready({ output }: Run): Promise<string> {
  return until(() => /ready at (\S+)\s[\s\S]{0,2000}Stop with Ctrl-C/.exec(output())?.[1], 120_000);
}

async function postmasterPid(): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n', 1)[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('the first start creates a key and shows it once, and later starts, even after a kill, use the same data', async () => {
  const first = run();
  const url = await ready(first);
  const apiKey = /API key\s+(re_\S+)/.exec(first.output())?.[1] ?? '';
  expect(apiKey).toMatch(/^re_\w{8}_\w{24}$/);
  const list = (base: string): Promise<Response> =>
    fetch(`${base}/emails`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect((await list(url)).status).toBe(200);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // A freeze during the start is reported for five seconds.
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('postrider_process_cpu_seconds_total');

  const second = run();
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(String(first.child.pid));

  first.child.kill('SIGKILL');
  await first.exited;
  const orphan = await postmasterPid();
  expect(orphan !== undefined && isAlive(orphan)).toBe(true);

  const third = run();
  expect((await list(await ready(third))).status).toBe(200);
  expect(third.output()).not.toContain('API key ');
  const postmaster = await postmasterPid();
  // As under npm, which passes on the signal that the whole process group got.
  third.child.kill('SIGTERM');
  await until(() => third.output().includes('Stopping:'));
  third.child.kill('SIGTERM');
  expect(await third.exited).toBe(0);
  expect(postmaster !== undefined && isAlive(postmaster)).toBe(false);
}, 400_000);

it('an invalid configuration is refused with every reason', async () => {
  const refused = run({ HTTP_PORT: 'eighty', DELIVERY_TRANSPORT: 'pigeon' });
  expect(await refused.exited).toBe(1);
  expect(refused.output()).toContain('HTTP_PORT must be a whole number');
  expect(refused.output()).toContain('DELIVERY_TRANSPORT must be one of sandbox, relay, mx');
});

it('a stop leaves no timer that keeps the process alive', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const program = await startProgram(inOneProcess);

  await program.stop();

  expect(timers()).toBeLessThanOrEqual(before);
});
