import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { migrate } from '../../apps/server/src/database/migrate.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

it('large entries of an earlier version are cut, and small ones stay as they are', async () => {
  const changes = [
    { html: 'x'.repeat(5_000_000), name: 'Large' },
    { name: 'Small', values: [1, 2] },
    Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field ${n}`, n])),
    Array.from({ length: 20_000 }, (_, n) => n),
  ];
  const ids = changes.map(() => newId());
  for (const [n, change] of changes.entries()) {
    await client.query(
      `INSERT INTO audit_entries (id, team_id, action, actor_kind, after) VALUES ($1, $2, 'templates.update', 'service', $3)`,
      [ids[n], newId(), JSON.stringify(change)],
    );
  }
  await client.query(`DELETE FROM migrations WHERE name = 'BoundedAuditEntries1763900855000'`);

  await migrate(database.url);

  const { rows } = await client.query<{ after: unknown; bytes: number }>(
    `SELECT after, octet_length(after::text) AS bytes FROM audit_entries WHERE id = ANY ($1::uuid[]) ORDER BY id`,
    [ids],
  );
  expect(rows[0]?.after).toEqual({ html: `"${'x'.repeat(499)}…`, name: 'Large', '…': '…' });
  expect(rows[1]?.after).toEqual(changes[1]);
  expect(rows.every(({ bytes }) => bytes < 10_000)).toBe(true);
});
