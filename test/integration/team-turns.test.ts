import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { PostgresRemovals } from '../../libs/audience/src/infrastructure/persistence/postgres-removals.js';
import { takeDueClaims, takeDueDomains } from '../../libs/domains/src/infrastructure/persistence/domain-statements.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
const teams = [newId(), newId(), newId()] as const;
const [many, few, last] = teams;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  database = new Database(pool);
  await pool.query(`INSERT INTO teams SELECT id, 'Team', now() FROM unnest($1::uuid[]) AS t (id)`, [teams]);
  await pool.query('DELETE FROM domains');
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

it('the removals of one team do not stand before those of the others', async () => {
  const removals = new PostgresRemovals(database);
  const add = (teamId: string, count: number): Promise<unknown> =>
    pool.query(
      `INSERT INTO audience_removals (id, team_id, kind, subject_id, created_at)
       SELECT id, $2, 'segment', id, now() FROM unnest($1::uuid[]) AS r (id)`,
      [Array.from({ length: count }, () => newId()), teamId],
    );
  const left = async (): Promise<Record<string, number>> => {
    const { rows } = await pool.query<{ team_id: string; count: number }>(
      'SELECT team_id, count(*)::int AS count FROM audience_removals GROUP BY 1',
    );
    return Object.fromEntries(rows.map(({ team_id, count }) => [team_id, count]));
  };
  await add(many, 100);
  await add(few, 2);
  await add(last, 1);
  for (let step = 0; step < 6; step++) expect(await removals.step()).toBe(true);
  expect(await left()).toEqual({ [many]: 97 });
  // A new one is next, although many wait.
  await add(last, 1);
  for (let step = 0; step < 2; step++) await removals.step();
  expect((await left())[last]).toBeUndefined();
  while (await removals.step());
  expect(await left()).toEqual({});
});

const checked = [
  { table: 'domains', what: 'the checks of the domains of one team' },
  { table: 'domain_claims', what: 'the checks of the claims of one team' },
] as const;

it.each(checked)('$what do not stand before those of the others', async ({ table }) => {
  const now = new Date();
  const add = (teamId: string, count: number, minutesAgo: number): Promise<unknown> =>
    pool.query(
      table === 'domains'
        ? `INSERT INTO domains (id, team_id, name, region, status, custom_return_path, created_at, next_check_at)
           SELECT id, $2, id || '.test', 'us-east-1', 'pending', 'send', now(), $3 FROM unnest($1::uuid[]) AS d (id)`
        : `INSERT INTO domain_claims (id, team_id, domain_id, name, status, settings, token, created_at, expires_at, next_check_at)
           SELECT id, $2, id, id || '.test', 'pending', '{}', 'x', now(), now(), $3 FROM unnest($1::uuid[]) AS c (id)`,
      [Array.from({ length: count }, () => newId()), teamId, new Date(now.getTime() - minutesAgo * 60_000)],
    );
  await add(many, 500, 60);
  await add(few, 3, 2);
  await add(last, 1, 1);
  const later = new Date(now.getTime() + 60_000);
  const held: string[] = [];
  const take = async (limit: number, maxOfTeam?: number): Promise<Record<string, number>> => {
    const due = (table === 'domains' ? takeDueDomains : takeDueClaims)({
      now,
      leaseUntil: later,
      limit,
      held,
      maxOfTeam,
    });
    const ids = (await database.query<{ id: string }>(due)).map(({ id }) => id);
    held.push(...ids);
    const { rows } = await pool.query<{ team_id: string; count: number }>(
      `SELECT team_id, count(*)::int AS count FROM ${table} WHERE id = ANY ($1) GROUP BY 1`,
      [ids],
    );
    return Object.fromEntries(rows.map(({ team_id, count }) => [team_id, count]));
  };
  expect(await take(6, 2)).toEqual({ [many]: 2, [few]: 2, [last]: 1 });
  expect(await take(6, 2)).toEqual({});
  held.length = 0;
  expect(await take(15)).toEqual({ [many]: 14, [few]: 1 });
  // One place becomes free at a time, and what has waited longest is of the team that has the others.
  await add(few, 2, 1);
  await add(last, 1, 1);
  expect([await take(1), await take(1), await take(1)]).toEqual([{ [last]: 1 }, { [few]: 1 }, { [few]: 1 }]);
  expect(await take(20)).toEqual({ [many]: 20 });
  expect(await take(1_000)).toEqual({ [many]: 464 });
  expect(await take(20)).toEqual({});
});
