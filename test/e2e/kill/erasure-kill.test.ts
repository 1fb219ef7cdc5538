import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testApiKey, testEnvironment } from '../../support/programs/program.js';
import { runServerProgram, ServerProgram } from '../../support/programs/server-program.js';
import { createTestDatabase, TestDatabase } from '../../support/servers/test-database.js';
import { until } from '../../support/runner/until.js';

const address = 'ada.person@kill.test';
const events = 24_000;

let database: TestDatabase;
let sql: Client;
let dataDir: string;
let server: ServerProgram;

/** One process, because a worker of its own would go on for a moment after its program was killed. */
const start = (): Promise<ServerProgram> => runServerProgram(testEnvironment(database, dataDir));

beforeAll(async () => {
  database = await createTestDatabase();
  sql = new Client({ connectionString: database.url });
  await sql.connect();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-erasure-kill-'));
  server = await start();
});

afterAll(async () => {
  await server.stop();
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${testApiKey}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function left(): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `SELECT count(*) FROM team_events WHERE strpos(data::text, $1) > 0`,
    [address],
  );
  return Number(rows[0]?.count);
}

it('an erasure goes on where it was killed, and nothing of the address is left', async () => {
  await call('POST', '/contacts', { email: address, first_name: 'Ada' });
  // One of a hundred events names the address.
  await sql.query(
    `INSERT INTO team_events (id, team_id, type, data, created_at)
     SELECT (left(e.id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, e.team_id, 'contact.updated',
            json_build_object('id', e.id, 'email', CASE WHEN n % 100 = 0 THEN $2 ELSE 'other' || n || '@kill.test' END), now()
     FROM generate_series(1, $1::int) n, (SELECT id, team_id FROM team_events WHERE type = 'contact.created') e`,
    [events, address],
  );
  const before = await left();
  expect(before).toBeGreaterThanOrEqual(events / 100);
  // Rows that somebody else has locked keep the erasure from ending before it is killed.
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query(
    `SELECT FROM team_events WHERE strpos(data::text, $1) > 0 ORDER BY id DESC LIMIT ${events / 1_000} FOR UPDATE`,
    [address],
  );
  const { id } = await call('POST', '/privacy/erasures', { email: address });
  for (const part of [0.9, 0.5]) {
    await until(async () => (await left()) < before * part);
    await server.kill();
    expect(await left()).toBeGreaterThan(0);
    // A killed worker's lease would last some seconds more.
    await sql.query(`UPDATE privacy_erasures SET held_until = '-infinity'`);
    server = await start();
  }
  await other.end();
  const done = await until(async () => {
    const shown = await call('GET', `/privacy/erasures/${id as string}`);
    return shown.status === 'completed' && shown;
  }, 60_000);
  expect(done).toMatchObject({ waiting: false, counts: { contacts: 1 } });
  expect(await left()).toBe(0);
  const { rows } = await sql.query('SELECT FROM contacts');
  expect(rows).toHaveLength(0);
});
