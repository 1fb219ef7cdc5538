import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { Database, MailDatabase, ReadDatabase, SlowReadError } from '#postgres/database';
import { until } from '../support/runner/until.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let own: TestDatabase;
let pool: Pool;
let general: Database;
let reads: ReadDatabase;

beforeAll(async () => {
  own = await createTestDatabase();
  pool = new Pool({ connectionString: own.url, max: 4 });
  general = new Database(pool);
  reads = new ReadDatabase(pool, undefined, general);
});

afterAll(async () => {
  await pool.end();
  await own.drop();
});

it('a read that reaches its time limit is refused with what to do', async () => {
  const limits = { statementMs: 50, lockMs: 50, idleInTransactionMs: 1_000 };
  await expect(reads.query({ text: 'SELECT pg_sleep(20)', limits })).rejects.toThrow(SlowReadError);
  expect(await reads.query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
});

it('every read has a time limit of seconds', async () => {
  expect(await reads.query({ text: 'SHOW statement_timeout' })).toEqual([{ statement_timeout: '5s' }]);
});

it('reads that fill their share leave half of the connections to mail', async () => {
  let isReleased = false;
  const lock = await pool.connect();
  await lock.query('BEGIN; LOCK TABLE teams IN ACCESS EXCLUSIVE MODE');
  const waiting = Array.from({ length: 10 }, () =>
    reads.query({ text: 'SELECT count(*) FROM teams' }).finally(() => expect(isReleased).toBe(true)),
  );
  expect(await new MailDatabase(pool).query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  isReleased = true;
  await lock.query('COMMIT');
  lock.release();
  expect(await Promise.all(waiting)).toHaveLength(10);
});

it('reads and everything else together leave a quarter of the connections to mail', async () => {
  // Two clients: within a transaction, pg_stat_activity never changes.
  const [locking, watching] = [new Client({ connectionString: own.url }), new Client({ connectionString: own.url })];
  await Promise.all([locking.connect(), watching.connect()]);
  await locking.query('BEGIN; LOCK TABLE teams IN ACCESS EXCLUSIVE MODE');
  const limits = { statementMs: 20_000, lockMs: 20_000, idleInTransactionMs: 1_000 };
  const count = { text: 'SELECT count(*) FROM teams', limits };
  const waiting = [reads, reads, general, general].flatMap((database) => [
    database.query(count),
    database.query(count),
  ]);
  const held = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM teams'";
  await until(async () => (await watching.query(held)).rowCount === 3);
  expect(await new MailDatabase(pool).query({ text: 'SELECT 1 AS one' })).toEqual([{ one: 1 }]);
  await locking.query('COMMIT');
  await Promise.all([locking.end(), watching.end()]);
  expect(await Promise.all(waiting)).toHaveLength(8);
});
