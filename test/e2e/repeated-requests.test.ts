import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testEnvironment, testSender } from '../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../support/programs/server-program.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { until } from '../support/runner/until.js';

const emails = 400;
const senders = 12;
const kills = 3;
/** Its own, so that no other program of the tests can answer on the port of a killed one. */
const apiKey = 're_Repeats1_0123456789abcdefghijklmnop';

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let server: ServerProgram;

/** A program that only accepts emails, since delivery is not tested here. */
const start = (): Promise<ServerProgram> =>
  runServerProgram({ ...testEnvironment(database, dataDir), BOOTSTRAP_API_KEY: apiKey, ROLES: 'api' });

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-repeat-'));
  server = await start();
});

afterAll(async () => {
  await server.stop();
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Repeats the same request with the same key until it succeeds, as a client does that wants one email. */
async function sendOnce(index: number): Promise<string> {
  return until(async () => {
    try {
      const response = await fetch(`${server.url}/emails`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': `email-${index}`,
        },
        body: JSON.stringify({ from: testSender, to: `user${index}@sink.test`, subject: `No ${index}`, text: 'Hello' }),
      });
      return response.ok ? ((await response.json()) as { id: string }).id : undefined;
    } catch {
      return undefined;
    }
  }, 120_000);
}

it('a request repeated with its key until it succeeds creates one email, however often the server is killed', async () => {
  const killAt = Array.from({ length: kills }, (_, kill) => Math.floor(((kill + Math.random()) * emails) / kills));
  const ids = new Map<number, string>();
  let next = 0;
  let restarts = Promise.resolve();
  const restart = async (): Promise<void> => {
    await server.kill();
    server = await start();
  };
  const sender = async (): Promise<void> => {
    while (next < emails) {
      const index = next++;
      if (killAt.includes(index)) restarts = restarts.then(restart);
      ids.set(index, await sendOnce(index));
    }
  };

  await Promise.all(Array.from({ length: senders }, sender));
  await restarts;

  const { rows } = await sql.query<{ id: string; subject: string }>('SELECT id, subject FROM emails');
  const keys = await sql.query<{ keys: number }>('SELECT count(*)::int AS keys FROM idempotency_keys');
  // Emails alone missing would be lost; keys missing with them, another program's.
  expect({ emails: rows.length, ...keys.rows[0] }).toEqual({ emails, keys: emails });
  expect(new Map(rows.map(({ id, subject }) => [Number(subject.slice(3)), id]))).toEqual(ids);
  const again = await sendOnce(0);
  expect(again).toBe(ids.get(0));
}, 400_000);
