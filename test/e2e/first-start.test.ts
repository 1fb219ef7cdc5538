import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ProgramProcess, startProgramProcess } from '../support/programs/program-process.js';
import { testApiKey, testEnvironment } from '../support/programs/program.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let database: TestDatabase;
let dataDir: string;
const running: ProgramProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-first-'));
});
afterEach(() => Promise.all(running.splice(0).map((program) => program.stop())));
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(environment: Readonly<Record<string, string>>): Promise<ProgramProcess> {
  const program = await startProgramProcess({
    ...testEnvironment(database, dataDir),
    LOG_LEVEL: 'warn',
    BOOTSTRAP_API_KEY: '',
    ...environment,
  });
  running.push(program);
  return program;
}

async function keys(): Promise<number> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM api_keys');
  await client.end();
  return rows[0]?.count ?? NaN;
}

const warning = 'BOOTSTRAP_API_KEY is not a key of this installation';
const statusWith = async ({ url }: ProgramProcess, apiKey: string): Promise<number> =>
  (await fetch(`${url}/domains`, { headers: { authorization: `Bearer ${apiKey}` } })).status;

it('only the api role creates the first key, whichever role starts first', async () => {
  const worker = await start({ ROLES: 'worker' });
  const smtp = await start({ ROLES: 'smtp', BOOTSTRAP_API_KEY: 're_of_the_smtp_role_0123456789' });
  expect(await keys()).toBe(0);
  expect(worker.output() + smtp.output()).not.toMatch(/API key|BOOTSTRAP_API_KEY/);

  const api = await start({ ROLES: 'api', BOOTSTRAP_API_KEY: testApiKey });
  expect(api.output()).toContain(testApiKey);
  expect(await statusWith(api, testApiKey)).toBe(200);
  expect(await keys()).toBe(1);
});

it('a later start warns of an unknown BOOTSTRAP_API_KEY, and not of a known one', async () => {
  const late = await start({ ROLES: 'api', BOOTSTRAP_API_KEY: 're_too_late_0123456789abcdef' });
  expect(late.output()).toContain(warning);
  expect(await statusWith(late, 're_too_late_0123456789abcdef')).toBe(400);
  const known = await start({ ROLES: 'api', BOOTSTRAP_API_KEY: testApiKey });
  expect(known.output()).not.toContain(warning);
  expect(await keys()).toBe(1);
});
