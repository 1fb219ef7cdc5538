import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { firstIdAt, newId, PageRequest } from '#kernel';
import { ReadDatabase } from '#postgres/database';
import { ContactPages } from '../../libs/audience/src/infrastructure/persistence/contact-pages.js';
import { maxReadInOrder, maxSortedMatches } from '../../libs/audience/src/infrastructure/persistence/contact-search.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let testDatabase: TestDatabase;
let pool: Pool;
let pages: ContactPages;
const team = newId();
const segmentId = newId();
const matches = maxSortedMatches + 10;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 2 });
  pages = new ContactPages(new ReadDatabase(pool));
  await pool.query(`INSERT INTO teams VALUES ($1, 'Searches', now())`, [team]);
  await pool.query(
    `INSERT INTO segments (id, team_id, name, created_at, updated_at) VALUES ($1, $2, 'Even', now(), now())`,
    [segmentId, team],
  );
  // The oldest contacts match, the newer ones do not.
  await pool.query(
    `INSERT INTO contacts (id, team_id, email, first_name, unsubscribed, created_at, updated_at)
     SELECT overlay($1 placing lpad(to_hex(n), 12, '0') from 25)::uuid, $2, n || '@x.test',
            CASE WHEN n <= $3::int THEN 'Ada' ELSE 'Grace' END, false, now(), now()
     FROM generate_series(1, $3::int + $4::int) n`,
    [firstIdAt(new Date()), team, matches, maxReadInOrder],
  );
  await pool.query(
    `INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at)
     SELECT $1, id, team_id, now() FROM contacts WHERE team_id = $2 AND split_part(email, '@', 1)::int % 2 = 0`,
    [segmentId, team],
  );
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function found(page: PageRequest, ofSegment?: string): Promise<number[]> {
  const rows = await pages.read(team, page, { segmentId: ofSegment, search: { text: 'ada' } });
  return rows.map(({ email }) => Number(email.split('@')[0]));
}

it('many matches that lie far down the list are found, newest first, page after page', async () => {
  expect(await found({ limit: 2 })).toEqual([matches, matches - 1, matches - 2]);
  expect(await found({ limit: 2 }, segmentId)).toEqual([matches, matches - 2, matches - 4]);
  const [third] = await pages.read(team, { limit: 1 }, { segmentId: undefined, search: { text: `${matches - 2}@` } });
  expect(await found({ limit: 1, after: third?.id })).toEqual([matches - 3, matches - 4]);
  expect(await found({ limit: 1, before: third?.id })).toEqual([matches - 1, matches]);
});
