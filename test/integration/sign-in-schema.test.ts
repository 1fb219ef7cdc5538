import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getMigrations } from 'better-auth/db/migration';
import { PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { Database } from '#postgres/database';
import { loadAuthLibrary } from '../../libs/accounts/src/infrastructure/better-auth/auth-library.js';
import { authOptions } from '../../libs/accounts/src/infrastructure/better-auth/auth-options.js';
import { AuthSettings } from '../../libs/accounts/src/infrastructure/better-auth/auth-settings.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, options: '-c search_path=auth' });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('our migrations have made every table and column that the sign-in library wants', async () => {
  const settings = {
    database: new Database(pool),
    origin: 'https://mail.test',
    secrets: [{ id: 1, value: 'x'.repeat(40) }],
  };
  const options = authOptions({ ...settings, openIdClients: [] } as unknown as AuthSettings, await loadAuthLibrary());
  const dialect = new PostgresDialect({ pool });
  const { toBeCreated, toBeAdded } = await getMigrations({
    ...options,
    database: { dialect, type: 'postgres' },
  });
  expect(toBeCreated.map(({ table }) => table)).toEqual([]);
  expect(toBeAdded.map(({ table, fields }) => [table, Object.keys(fields)])).toEqual([]);
});
