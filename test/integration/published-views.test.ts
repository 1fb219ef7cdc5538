import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { definitions } from '../../apps/server/src/database/schemas.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  // The setting that the pool of the program has.
  await client.query('SET plan_cache_mode = force_generic_plan');
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const views = definitions.flatMap(({ file }) => {
  const [, view, table] = /CREATE OR REPLACE VIEW (\w+) AS\s[^;]*\bFROM (\w+);/.exec(readFileSync(file, 'utf8')) ?? [];
  return view === undefined || table === undefined ? [] : [[view, table] as const];
});

async function plan(text: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${text}`);
  return rows
    .map((row) => row['QUERY PLAN'])
    .join('\n')
    .replace(/( on (?:\w+ on )?\w+) \w+$/gm, '$1');
}

it.each(views)('%s has the same plan as its table', async (view, table) => {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = '${view}'::regclass AND attnum = 1`,
  );
  const [key] = rows;
  const lookUp = (name: string): string => `
    SELECT m.id, found.* FROM unnest(ARRAY[NULL::${key?.type}]) AS m (id)
    CROSS JOIN LATERAL (SELECT * FROM ${name} t WHERE t."${key?.name}" = m.id LIMIT 1) found`;
  // `plan` removes the aliases.
  expect(await plan(lookUp(view))).toBe(await plan(lookUp(table)));
});

it('the function for unique opens is inlined into the plan', async () => {
  const text = await plan(`SELECT u.* FROM first_human_engagements(
    ARRAY['${newId()}'::uuid], ARRAY[1], ARRAY[0::smallint], ARRAY['email.opened'], ARRAY['{}'::jsonb],
    '${newId()}', '${newId()}') u`);

  expect(text).not.toContain('Function Scan on first_human_engagements');
  expect(text).toContain('email_events');
});
