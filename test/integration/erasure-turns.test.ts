import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { PostgresErasureRepository } from '../../libs/privacy/src/infrastructure/persistence/postgres-erasure-repository.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { stretched } from '../support/runner/stretched.js';

let testDatabase: TestDatabase;
let pool: Pool;
let erasures: PostgresErasureRepository;
const [many, few] = [newId(), newId()];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  erasures = new PostgresErasureRepository(new Database(pool), new SecretBox(randomBytes(32).toString('hex')));
  await pool.query(`INSERT INTO teams VALUES ($1, 'Many', now()), ($2, 'Few', now())`, [many, few]);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function request(teamId: string, minutesAgo: number): Promise<string> {
  const createdAt = new Date(Date.now() - minutesAgo * 60_000);
  const id = newId(createdAt.getTime());
  const state = { status: 'pending', counts: {}, isWaiting: false, actor: { kind: 'service' } } as const;
  await erasures.insert({ id, teamId, addressHash: id, ...state, createdAt, completedAt: null }, 'a@x.test', createdAt);
  return id;
}

it('teams take turns with the portions of their erasures, and each of a team is finished before the next', async () => {
  const theirs: string[] = [];
  for (let at = 0; at < 100; at++) theirs.push(await request(many, 200 - at));
  const own = await request(few, 1);
  const holder = newId();
  const claimed: string[] = [];
  for (let portion = 0; portion < 6; portion++) {
    const work = await erasures.claim(holder, new Date());
    claimed.push(work?.id ?? '');
    await erasures.save(work?.id ?? '', holder, {
      counts: {},
      isWaiting: false,
      holder: 'emails',
      position: `${portion}`,
    });
  }
  expect(claimed.filter((id) => id === own)).toHaveLength(3);
  expect(claimed.filter((id) => id === theirs[0])).toHaveLength(3);
  await erasures.complete(own, holder, {}, new Date());
  await erasures.complete(theirs[0] as string, holder, {}, new Date());
  expect((await erasures.claim(holder, new Date()))?.id).toBe(theirs[1]);
  // Another process takes what is not held.
  expect((await erasures.claim(newId(), new Date()))?.id).toBe(theirs[2]);
});

it('a claim finds its team without reading the erasures of the others', async () => {
  await pool.query(
    `INSERT INTO privacy_erasures (id, team_id, address_hash, status, due_at, created_at)
     SELECT gen_random_uuid(), $1, 'hash', 'pending', now() - interval '1 day', now() FROM generate_series(1, 20000)`,
    [many],
  );
  await pool.query('ANALYZE privacy_erasures');
  const started = performance.now();
  for (let portion = 0; portion < 20; portion++) await erasures.claim(newId(), new Date());
  expect(performance.now() - started).toBeLessThan(stretched(2_000));
});
