import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testApiKey, testEnvironment, testSender } from '../support/programs/program.js';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { rawRequest } from '../support/clients/raw-http.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';
import { stretched } from '../support/runner/stretched.js';

let database: TestDatabase;
let dataDir: string;
let program: ProgramProcess;
let healthUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-freeze-'));
  const environment = { ...testEnvironment(database, dataDir), LOG_LEVEL: 'warn', HEALTH_LISTEN: '127.0.0.1:0' };
  program = await startProgramProcess(environment, 'dist/test/support/programs/freezing-program.js');
  healthUrl = /Health at (\S+)/.exec(program.output())?.[1] as string;
});

afterAll(async () => {
  await program.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function freezeFor(ms: number): Promise<void> {
  const body = JSON.stringify({ from: testSender, to: `${ms}@freeze.test`, subject: 'Hello', text: 'Hello' });
  const head = `POST /emails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testApiKey}\r\nContent-Type: application/json`;
  const response = await rawRequest(program.port, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  expect(response.status).toBe(200);
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

function logged(message: string): Record<string, unknown>[] {
  const lines = program.output().split('\n');
  return lines.filter((line) => line.includes(`"msg":"${message}"`)).map((line) => JSON.parse(line));
}

/** The stacks of this test only: on a busy machine something else may freeze the event loop as well. */
function stacksOfThisTest(): string[] {
  const stacks = logged('the event loop is frozen').map(({ stack }) => String(stack));
  return stacks.filter((stack) => stack.includes('blockTheEventLoop'));
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${program.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

it('a freeze is logged with its stack and its duration, shown in the metrics, and takes the process out of service', async () => {
  await until(async () => (await statusOf(`${healthUrl}/readyz`)) === 200);
  expect(await statusOf(`${program.url}/readyz`)).toBe(200);
  await metric('postrider_nodejs_eventloop_lag_max_seconds');

  const sent = freezeFor(3_000);
  // During the freeze only the watching thread can respond.
  const frozen = await until(async () => {
    const response = await fetch(`${healthUrl}/readyz`);
    return response.status === 503 && ((await response.json()) as { details: unknown }).details;
  });
  expect(frozen).toMatchObject({ process: { status: 'down' } });
  expect(await statusOf(`${healthUrl}/healthz`)).toBe(200);

  await sent;
  await until(() => logged('the event loop runs again after a freeze').length > 0);
  expect(await statusOf(`${program.url}/readyz`)).toBe(503);
  expect(stacksOfThisTest()).toHaveLength(1);
  expect(stacksOfThisTest()[0]).toMatch(/(?:^|,)blockTheEventLoop \(\S*freezing-program/);
  const [{ durationMs }] = logged('the event loop runs again after a freeze') as [{ durationMs: number }];
  expect(durationMs).toBeGreaterThan(2_000);
  expect(durationMs).toBeLessThan(stretched(20_000));
  expect(await metric('postrider_nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(2);
  expect(await metric('postrider_event_loop_freezes_total')).toBeGreaterThan(0);
  await until(async () => (await statusOf(`${program.url}/readyz`)) === 200);
  expect(await statusOf(`${healthUrl}/readyz`)).toBe(200);
});

it('no debugger port is open afterwards, and a short block is not logged', async () => {
  await freezeFor(300);
  await until(async () => (await metric('postrider_delivery_attempts_total\\{outcome="delivered"\\}')) >= 2);

  expect(stacksOfThisTest()).toHaveLength(1);
  expect(program.output()).not.toContain('Debugger listening');
});
