import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { Database, longLimits } from '#postgres/database';
import { areSessionsLimited, preparingConnection } from '../../libs/postgres/src/database/time-limits.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const session = { text: `SELECT pg_backend_pid() AS pid` };
const settings = {
  text: `SELECT current_setting('synchronous_commit') AS commit, current_setting('statement_timeout') AS statement,
                current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`,
};
const ordinary = { commit: 'on', statement: '15s', lock: '3s', idle: '30s' };

let own: TestDatabase;
let pool: Pool;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  const client = new Client({ connectionString: own.url });
  await client.connect();
  // The worst defaults that a database can have.
  for (const setting of ['synchronous_commit = off', 'statement_timeout = 0', 'lock_timeout = 0']) {
    await client.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`);
  }
  await client.query('CREATE TABLE notes (note text PRIMARY KEY)');
  await client.end();
  pool = new Pool({ connectionString: own.url, max: 1, pipeline: true, ...preparingConnection, query_timeout: 1_000 });
  database = new Database(pool, { prepares: true, isLimited: true });
});

afterAll(async () => {
  await pool.end();
  await own.drop();
});

it('sessions have the ordinary limits and commit durably, whatever the defaults of the database are', async () => {
  expect(await areSessionsLimited(pool)).toBe(true);
  expect(await database.query(settings)).toEqual([ordinary]);
  expect(await database.run((transaction) => transaction.query(settings))).toEqual([ordinary]);
});

it('other limits hold for one transaction only', async () => {
  const long = { statement: '10min', lock: '2s', commit: 'on' };
  expect(await database.query({ ...settings, limits: longLimits })).toMatchObject([long]);
  expect(await database.run((transaction) => transaction.query(settings), longLimits)).toMatchObject([long]);
  expect(await database.query(settings)).toEqual([ordinary]);
});

it('a connection whose options somebody left out is found out', async () => {
  const forgetful = new Pool({ connectionString: own.url, max: 1 });
  expect(await areSessionsLimited(forgetful)).toBe(false);
  await forgetful.end();
});

it('a single statement is committed at once, and a refused one changes nothing and keeps the connection', async () => {
  const [before] = await database.query(session);
  expect(await database.execute({ text: `INSERT INTO notes VALUES ('a')` })).toBe(1);
  const refused = database.execute({ text: `INSERT INTO notes VALUES ('b'), ('a')` });
  await expect(refused).rejects.toMatchObject({ code: '23505' });
  expect(await database.query({ text: 'SELECT note FROM notes' })).toEqual([{ note: 'a' }]);
  expect(await database.query(session)).toEqual([before]);
});

it('a single statement whose answer does not come closes its connection', async () => {
  const [before] = await database.query(session);
  await expect(database.query({ text: 'SELECT pg_sleep(5)' })).rejects.toThrow();
  expect(await database.query(session)).not.toEqual([before]);
});
