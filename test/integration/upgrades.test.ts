import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DatabaseEncodingError, migrate, NewerSchemaError } from '../../apps/server/src/database/migrate.js';
import { migrations } from '../../apps/server/src/database/migrations/index.js';
import { ADMIN_URL, createTestDatabase, databaseUrl, TestDatabase } from '../support/servers/test-database.js';

let migrated: TestDatabase;
let admin: Client;
const empty = `postrider_upgrades_${process.pid}`;

beforeAll(async () => {
  migrated = await createTestDatabase();
  admin = new Client({ connectionString: process.env[ADMIN_URL] });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${empty}`);
});

afterAll(async () => {
  await admin.query(`DROP DATABASE ${empty} WITH (FORCE)`);
  await admin.end();
  await migrated.drop();
});

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

it('processes that start together on an empty database run each migration once', async () => {
  const url = databaseUrl(process.env[ADMIN_URL] ?? '', empty);
  await Promise.all(Array.from({ length: 4 }, () => migrate(url)));

  const applied = await query<{ name: string }>(url, 'SELECT name FROM migrations ORDER BY id');
  expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
});

it('a database of another encoding is refused with what to do, and nothing is made in it', async () => {
  const ascii = `${empty}_ascii`;
  await admin.query(`CREATE DATABASE ${ascii} ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`);
  const url = databaseUrl(process.env[ADMIN_URL] ?? '', ascii);
  await expect(migrate(url)).rejects.toThrow(DatabaseEncodingError);
  await expect(migrate(url)).rejects.toThrow(/^The encoding of the database is SQL_ASCII\. .*ENCODING 'UTF8'/);
  expect(await query(url, `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
  await admin.query(`DROP DATABASE ${ascii} WITH (FORCE)`);
});

it('a program that finds a newer schema than it knows changes nothing and says what to do', async () => {
  await query(migrated.url, `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Tomorrow9999999999999')`);

  const start = migrate(migrated.url);

  await expect(start).rejects.toThrow(NewerSchemaError);
  await expect(start).rejects.toThrow(
    /The database is newer than this program: it has Tomorrow9999999999999\. Start the newer/,
  );
});

it('an index whose creation was interrupted is created again', async () => {
  const url = databaseUrl(process.env[ADMIN_URL] ?? '', empty);
  const name = 'email_counters_by_shard';
  await query(url, `UPDATE pg_index SET indisvalid = false, indisready = false WHERE indexrelid = '${name}'::regclass`);
  await query(url, `DELETE FROM migrations WHERE name = 'CounterShards1763700570000'`);

  await migrate(url);

  const [index] = await query<{ indisvalid: boolean }>(
    url,
    `SELECT indisvalid FROM pg_index WHERE indexrelid = '${name}'::regclass`,
  );
  expect(index?.indisvalid).toBe(true);
});

it('the contacts that segments already have are counted', async () => {
  const url = databaseUrl(process.env[ADMIN_URL] ?? '', empty);
  const [segment, contact, team] = [1, 2, 3].map((no) => `'0193a1f4-52e6-7c1e-9f0b-00000000000${no}'`);
  await query(
    url,
    `DROP TABLE segment_sizes; DROP FUNCTION count_members CASCADE;
     DELETE FROM migrations WHERE name = 'SizesOfSegments1763992363000';
     DELETE FROM installed_definitions WHERE name LIKE '%count-members%';
     INSERT INTO teams (id, name, created_at) VALUES (${team}, 'Acme', now());
     INSERT INTO contacts (id, team_id, email, created_at, updated_at) VALUES (${contact}, ${team}, 'a@x.test', now(), now());
     INSERT INTO segment_contacts (segment_id, contact_id, team_id, created_at) VALUES (${segment}, ${contact}, ${team}, now())`,
  );

  await migrate(url);

  const sizes = 'SELECT sum(contacts)::int AS size FROM segment_sizes';
  expect(await query(url, sizes)).toEqual([{ size: 1 }]);
  await query(url, 'DELETE FROM contacts');
  expect(await query(url, sizes)).toEqual([{ size: 0 }]);
});

it('existing partitions get the position index, even if its creation was interrupted', async () => {
  const url = databaseUrl(process.env[ADMIN_URL] ?? '', empty);
  const [partition] = await query<{ name: string }>(
    url,
    `SELECT inhrelid::regclass AS name FROM pg_inherits WHERE inhparent = 'email_events'::regclass ORDER BY 1 LIMIT 1`,
  );
  await query(url, 'DROP INDEX email_events_position');
  await query(url, `CREATE INDEX "${partition?.name}_position" ON "${partition?.name}" (seq)`);
  await query(url, `DELETE FROM migrations WHERE name = 'EventPositionIndex1763700612000'`);

  await migrate(url);

  const [index] = await query<{ isValid: boolean; of: number; partitions: number }>(
    url,
    `SELECT indisvalid AS "isValid", (SELECT count(*)::int FROM pg_inherits WHERE inhparent = indexrelid) AS of,
            (SELECT count(*)::int FROM pg_inherits WHERE inhparent = indrelid) AS partitions
     FROM pg_index WHERE indexrelid = 'email_events_position'::regclass`,
  );
  expect(index?.isValid).toBe(true);
  expect(index?.of).toBe(index?.partitions);
});
