import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { PostgresReceivedWork } from '../../libs/inbound/src/infrastructure/persistence/postgres-received-emails.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const [many, few] = [newId(), newId()];
const now = new Date();
const leaseUntil = new Date(now.getTime() + 60_000);
let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let work: PostgresReceivedWork;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // One connection, so that it can be told to report what its statements have read.
  pool = new Pool({ connectionString: testDatabase.url, max: 1 });
  database = new Database(pool);
  work = new PostgresReceivedWork(database);
});
beforeEach(() => pool.query('TRUNCATE received_work'));
afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const add = (teamId: string, count: number, minutesAgo: number): Promise<unknown> =>
  pool.query(
    `INSERT INTO received_work (email_id, team_id, announced, due_at)
     SELECT id, $2, true, $3 FROM unnest($1::uuid[]) AS r (id)`,
    [Array.from({ length: count }, () => newId()), teamId, new Date(now.getTime() - minutesAgo * 60_000)],
  );

/** The teams whose work is taken, in alphabetical order of their names. */
async function taken(limit: number, held: readonly (readonly [string, number])[] = []): Promise<readonly string[]> {
  const due = await work.take(now, leaseUntil, { limit, maxPerTeam: 8, held: new Map(held) });
  return due.map(({ teamId }) => (teamId === many ? 'many' : 'few')).sort();
}

it('a team gets its places and no more, together with those that it holds', async () => {
  await add(many, 20, 1);
  expect(await taken(32, [[many, 6]])).toEqual(['many', 'many']);
  expect(await taken(32)).toHaveLength(8);
  expect(await taken(32, [[many, 8]])).toEqual([]);
});

it('a free place goes to the team that holds the fewest', async () => {
  await add(many, 20, 10);
  await add(few, 2, 1);
  expect(await taken(1, [[many, 1]])).toEqual(['few']);
  expect(await taken(2, [[few, 2]])).toEqual(['many', 'many']);
});

it('the work of a team without a free place hides no work of others, however much it is', async () => {
  await add(many, 1_100, 10);
  await add(few, 1, 1);
  expect(await taken(32, [[many, 8]])).toEqual(['few']);
});

/** Rows of the table and entries of its indexes that all statements so far have read. */
async function rowsRead(): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: string }>(
    `SELECT t.seq_tup_read + sum(i.idx_tup_read) AS read
     FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid) WHERE t.relname = 'received_work'
     GROUP BY t.relid, t.seq_tup_read`,
  );
  return Number(rows[0]?.read);
}

it('the work of others is found without reading what waits of a team without a free place', async () => {
  await add(many, 20_000, 10);
  await add(few, 1, 1);
  await pool.query('ANALYZE received_work');
  const before = await rowsRead();
  expect(await taken(32, [[many, 8]])).toEqual(['few']);
  expect((await rowsRead()) - before).toBeLessThan(50);
});

it('a search where nothing is due is one statement, which reads a few rows however many teams wait', async () => {
  await pool.query(
    `INSERT INTO received_work (email_id, team_id, announced, due_at)
     SELECT gen_random_uuid(), gen_random_uuid(), true, $1 FROM generate_series(1, 5000)`,
    [leaseUntil],
  );
  await pool.query('ANALYZE received_work');
  // A search goes on behind the team at which the last one ended: this one begins with the first team.
  await taken(32);
  const before = await rowsRead();
  const statements = jest.spyOn(database, 'query');
  expect(await taken(32)).toEqual([]);
  expect(statements).toHaveBeenCalledTimes(1);
  statements.mockRestore();
  expect((await rowsRead()) - before).toBeLessThan(50);
});

it('a team with few emails finds its turn among more teams than one search looks at', async () => {
  await pool.query(
    `INSERT INTO received_work (email_id, team_id, announced, due_at)
     SELECT gen_random_uuid(), gen_random_uuid(), true, $1 FROM generate_series(1, 1500)`,
    [now],
  );
  const teams = new Set<string>();
  for (;;) {
    const due = await work.take(now, leaseUntil, { limit: 32, maxPerTeam: 8, held: new Map() });
    if (due.length === 0) break;
    for (const { teamId } of due) teams.add(teamId);
  }
  expect(teams.size).toBe(1_500);
});

it('rows that another process is taking are passed over, and found if it does not keep them', async () => {
  await add(few, 3, 2);
  await add(few, 1, 1);
  const other = new Pool({ connectionString: testDatabase.url, max: 1 });
  const client = await other.connect();
  const holding = async (rows: number): Promise<void> => {
    await client.query('BEGIN');
    await client.query('SELECT FROM received_work ORDER BY due_at LIMIT $1 FOR UPDATE', [rows]);
  };
  try {
    await holding(3);
    expect(await taken(1)).toEqual(['few']);
    await client.query('ROLLBACK');
    await holding(3);
    expect(await taken(1)).toEqual([]);
    await client.query('ROLLBACK');
    expect(await taken(32)).toHaveLength(3);
  } finally {
    client.release();
    await other.end();
  }
});

it('processes that take at once never get the same work', async () => {
  await pool.query(
    `INSERT INTO received_work (email_id, team_id, announced, due_at)
     SELECT gen_random_uuid(), md5((n % 20)::text)::uuid, true, $1 FROM generate_series(1, 600) AS n`,
    [now],
  );
  const others = new Pool({ connectionString: testDatabase.url, max: 4 });
  const places = { limit: 8, maxPerTeam: 8, held: new Map<string, number>() };
  const all: string[] = [];
  const process = async (): Promise<void> => {
    const takes = new PostgresReceivedWork(new Database(others));
    for (let rounds = 0; rounds < 40; rounds++) {
      all.push(...(await takes.take(now, leaseUntil, places)).map(({ emailId }) => emailId));
    }
  };
  await Promise.all([process(), process(), process(), process()]);
  await others.end();
  expect([all.length, new Set(all).size]).toEqual([600, 600]);
});

it('work that was taken is not taken again before its lease ends', async () => {
  await add(few, 1, 1);
  expect(await taken(32)).toEqual(['few']);
  expect(await taken(32)).toEqual([]);
  const due = await work.take(leaseUntil, leaseUntil, { limit: 1, maxPerTeam: 8, held: new Map() });
  expect(due).toMatchObject([{ teamId: few, failures: 0, isAnnounced: true }]);
});
