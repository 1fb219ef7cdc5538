import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Pool, PoolClient } from 'pg';
import { newId } from '#kernel';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const emailsPerStatement = 50;
let testDatabase: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 2 });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

beforeEach(() => pool.query('TRUNCATE emails, email_events, live_watches, live_changes'));

async function addEmails(teamId: string, count: number, at = Date.now()): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(at));
  await pool.query(
    `INSERT INTO emails (id, team_id, domain_id, api_key_id, created_at, size, event_seq, last_event, message_id,
                         "from", "to", subject)
     SELECT id, $2, $2, $2, now(), 1, 0, 'queued', '<a@b.test>', 'a@b.test', '{c@d.test}', 's' FROM unnest($1::uuid[]) AS t (id)`,
    [ids, teamId],
  );
  return ids;
}

const watch = (teamId: string) =>
  pool.query(`INSERT INTO live_watches (team_id, source_id, until) VALUES ($1, $1, now() + interval '1 minute')`, [
    teamId,
  ]);

const looksAtEmails = async (client: PoolClient): Promise<number> => {
  const { rows } = await client.query<{ looks: number }>(
    `SELECT sum(pg_stat_get_xact_numscans(indexrelid))::int AS looks FROM pg_index
     WHERE indrelid IN (SELECT relid FROM pg_partition_tree('emails') WHERE isleaf)`,
  );
  return rows[0]?.looks ?? 0;
};

/**
 * Writes an event of each of the emails in one statement. Resolves with how often an index of emails was searched for
 * it.
 */
async function writeEvents(ids: readonly string[]): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const before = await looksAtEmails(client);
    await client.query(
      `INSERT INTO email_events (email_id, seq, recipient_no, created_at, type)
       SELECT id, 1 + floor(random() * 1e6), 0, now(), 'email.sent' FROM unnest($1::uuid[]) AS t (id)`,
      [ids],
    );
    const looks = (await looksAtEmails(client)) - before;
    await client.query('COMMIT');
    return looks;
  } finally {
    client.release();
  }
}

const told = async (): Promise<unknown[]> =>
  (await pool.query('SELECT team_id, topic, names FROM live_changes ORDER BY xid')).rows;

it('a team that watches and sends nothing costs the others next to nothing', async () => {
  const [busy, quiet] = [newId(), newId()];
  await addEmails(quiet, 3, Date.now() - 60_000);
  const ids = await addEmails(busy, emailsPerStatement);
  const unwatched = await writeEvents(ids);
  await watch(quiet);
  expect((await writeEvents(ids)) - unwatched).toBeLessThan(emailsPerStatement / 5);
  expect(await told()).toEqual([]);
});

it('a team that watches is told of its own emails, among those of others and of many watchers', async () => {
  const [busy, mine] = [newId(), newId()];
  const [first = '', last = ''] = [...(await addEmails(busy, 1)), ...(await addEmails(busy, 1, Date.now() + 2))];
  const [own = ''] = await addEmails(mine, 1, Date.now() + 1);
  await watch(mine);
  await writeEvents([last, own, first]);
  const change = { team_id: mine, topic: 'emails', names: [own] };
  expect(await told()).toEqual([change]);
  for (let other = 0; other < 40; other++) await watch(newId());
  await writeEvents([first, own, last]);
  expect(await told()).toEqual([change, change]);
});
