import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { MessageStore } from '#emails';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import type { Statement } from '#postgres/database';
import { UnusedContents } from '../../libs/inbound/src/infrastructure/persistence/unused-contents.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let own: TestDatabase;
let pool: Pool;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  pool = new Pool({ connectionString: own.url, max: 4 });
  database = new Database(pool);
});

afterAll(async () => {
  await pool.end();
  await own.drop();
});

it('a content that another erasure lists while this one looks at it is looked at again', async () => {
  const contentId = newId();
  const removed: string[] = [];
  const store = { remove: async (ids: readonly string[]) => void removed.push(...ids) } as unknown as MessageStore;
  const other = new UnusedContents(database, store);
  let looks = 0;
  const racing = Object.assign(Object.create(database) as Database, {
    query: async (statement: Statement) => {
      if (!statement.text.includes('FROM received_emails')) return database.query(statement);
      if (++looks > 1) return database.query(statement);
      // The email of the other team is still there when this erasure looks; its deletion is committed just afterwards.
      await database.run((transaction) => other.add([contentId], transaction));
      return [{}];
    },
  });
  const unused = new UnusedContents(racing, store);
  await database.run((transaction) => unused.add([contentId], transaction));

  await unused.removeUnused();

  expect([looks, removed]).toEqual([2, [contentId]]);
  expect(await database.query({ text: 'SELECT FROM received_unused_contents' })).toEqual([]);
});
