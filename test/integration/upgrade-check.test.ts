import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function check(): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, DATA_DIR: '/nowhere', SECRET_KEY: '11'.repeat(32) };
  const command = ['dist/apps/server/src/main.js', 'upgrade', '--check'];
  const ended = await promisify(execFile)(process.execPath, command, { env }).catch((error: object) => error);
  return { code: 0, stdout: '', stderr: '', ...ended };
}

it('says what the start would do to the database, and changes nothing', async () => {
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('starts on this database without') });

  const { rows } = await client.query<{ name: string }>(
    `DELETE FROM migrations WHERE id IN (SELECT id FROM migrations ORDER BY id DESC LIMIT 2) RETURNING name`,
  );
  const { code, stdout } = await check();
  expect(code).toBe(0);
  expect(stdout).toContain('changes this database at its start, in 2 steps:\n');
  expect(stdout.match(/^ {2}\d{4}-\d\d-\d\d [a-z0-9 ]+$/gm)).toHaveLength(2);
  expect(stdout).toContain('Only a backup leads back.');
  const left = await client.query('SELECT FROM migrations WHERE name = ANY ($1)', [rows.map(({ name }) => name)]);
  expect(left.rowCount).toBe(0);
});

it('refuses a database that a later version has changed', async () => {
  await client.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture9999999999999')`);
  expect(await check()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('is newer than this program'),
  });
});
