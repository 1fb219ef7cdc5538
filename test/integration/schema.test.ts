import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { schemaText } from '../../scripts/generate/schema-text.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { schemaFile } from '../../scripts/generate/write-schema.js';

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

it('schema.sql has the schema that the migrations create (`npm run docs:schema` writes it)', async () => {
  expect(await schemaText(client)).toBe(await readFile(schemaFile, 'utf8'));
});

it('a table that no lib has declared is an error', async () => {
  await client.query('CREATE TABLE nobodys (id uuid)');

  await expect(schemaText(client)).rejects.toThrow('No lib has declared nobodys');
});
