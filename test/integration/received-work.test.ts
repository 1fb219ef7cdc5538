import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
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
let work: PostgresReceivedWork;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  work = new PostgresReceivedWork(new Database(pool));
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

it('work that was taken is not taken again before its lease ends', async () => {
  await add(few, 1, 1);
  expect(await taken(32)).toEqual(['few']);
  expect(await taken(32)).toEqual([]);
  const due = await work.take(leaseUntil, leaseUntil, { limit: 1, maxPerTeam: 8, held: new Map() });
  expect(due).toMatchObject([{ teamId: few, failures: 0, isAnnounced: true }]);
});
