import { afterAll, beforeAll } from '@jest/globals';
import { Pool } from 'pg';
import { Database } from '#postgres/database';
import { PostgresStsPolicyStore } from '../../libs/mx/src/infrastructure/persistence/postgres-sts-policy-store.js';
import { InMemoryStsPolicyStore } from '../support/fakes/in-memory-sts-policy-store.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { describeStsPolicyStore } from './sts-policy-store.contract.js';

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

describeStsPolicyStore('InMemoryStsPolicyStore', async () => ({
  store: new InMemoryStsPolicyStore(),
  dispose: async () => undefined,
}));

describeStsPolicyStore('PostgresStsPolicyStore', async () => {
  const database = new Database(pool);
  return {
    store: new PostgresStsPolicyStore(database),
    dispose: async () => {
      await database.execute({ text: 'TRUNCATE sts_policies' });
    },
  };
});
