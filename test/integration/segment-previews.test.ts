import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { parseFilter } from '../../libs/audience/src/domain/filters/parse-filter.js';
import { PostgresFilteredContacts } from '../../libs/audience/src/infrastructure/persistence/filters/postgres-filtered-contacts.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let testDatabase: TestDatabase;
let pool: Pool;
let filtered: PostgresFilteredContacts;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
  filtered = new PostgresFilteredContacts(new Database(pool), { now: () => new Date() });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

it('the preview of a segment is estimated from a sample in a preview of a large team where many contacts match', async () => {
  const large = newId();
  await pool.query(`INSERT INTO teams VALUES ($1, 'Large', now())`, [large]);
  // Ids of the sample end in a byte below 4, the others in 0xff.
  await pool.query(
    `INSERT INTO contacts (id, team_id, email, unsubscribed, created_at, updated_at)
     SELECT (left(gen_random_uuid()::text, 34) || CASE WHEN n <= 1600 THEN '03' ELSE 'ff' END)::uuid, $1,
            CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END || n || '@x.test', n % 4 = 0, now(), now()
     FROM generate_series(1, 4000) n`,
    [large],
  );
  await pool.query('UPDATE contact_counts SET contacts = 500000 WHERE team_id = $1', [large]);
  const all = parseFilter({ type: 'rule', field: 'contact.email', operator: 'ends_with', value: '@x.test' });
  const preview = await filtered.preview(large, all, 3);
  expect(preview).toMatchObject({ contacts: 1_600 * 64, subscribed: 1_200 * 64, isEstimated: true });
  expect(preview.sample).toHaveLength(3);
  const even = parseFilter({ type: 'rule', field: 'contact.email', operator: 'starts_with', value: 'even' });
  expect(await filtered.preview(large, even, 3)).toMatchObject({ contacts: 2_000, isEstimated: false });
  await pool.query('UPDATE contact_counts SET contacts = 100200 WHERE team_id = $1', [large]);
  expect(await filtered.preview(large, all, 3)).toMatchObject({ contacts: 100_200, isEstimated: true });
});
