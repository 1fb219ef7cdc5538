import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database, ReadDatabase } from '#postgres/database';
import { PostgresEmailBreakdowns } from '../../libs/emails/src/infrastructure/persistence/postgres-email-breakdowns.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const teamId = newId();
const usual = newId();
const rare = newId();

let testDatabase: TestDatabase;
let pool: Pool;
let breakdowns: PostgresEmailBreakdowns;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url });
  const database = new Database(pool);
  breakdowns = new PostgresEmailBreakdowns(new ReadDatabase(pool));
  // The oldest is of the rare domain, and so is one of the newest.
  await database.execute({
    text: `WITH sent AS (
             INSERT INTO emails (id, team_id, domain_id, created_at, size, event_seq, last_event, message_id, "from", "to",
                                 subject)
             SELECT uuidv7(n * interval '1 millisecond' - interval '1 second'), $1,
                    CASE WHEN n IN (1, 20100) THEN $3::uuid ELSE $2::uuid END, now(), 10, 1, 'delivered', 'm', 'a@b.test',
                    ARRAY['c@sink.test'], 'S'
             FROM generate_series(1, 20100) AS n RETURNING id
           )
           INSERT INTO recipients (email_id, no, status, address) SELECT id, 0, 'delivered', 'c@sink.test' FROM sent`,
    values: [teamId, usual, rare],
  });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

it.each<[string, string, number[]]>([
  ['of a rare domain', rare, [1]],
  ['of a usual domain', usual, [20_000]],
  ['of a domain without emails', newId(), []],
])('a count %s examines no more emails than any other', async (_, domainId, recipients) => {
  const { rows, ...sample } = await breakdowns.count(teamId, 'recipient_domain', { domainIds: [domainId] });
  expect(rows.map((row) => row.recipients)).toEqual(recipients);
  expect(sample).toEqual({ examined: 20_000, isSample: true });
});
