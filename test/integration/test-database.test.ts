import { afterEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const databases: TestDatabase[] = [];

async function create(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

test('a test database has the tables of the migrations and none of another test’s rows', async () => {
  const [one, other] = await Promise.all([create(), create()]);
  const [first, second] = [new Client(one.url), new Client(other.url)];
  await Promise.all([first.connect(), second.connect()]);
  await first.query('CREATE TABLE only_here ()');
  const { rows } = await second.query("SELECT to_regclass('only_here') AS leaked, to_regclass('emails') AS emails");
  await Promise.all([first.end(), second.end()]);
  expect(rows).toEqual([{ leaked: null, emails: 'emails' }]);
});

test('a test database can be dropped while a client is connected', async () => {
  const database = await create();
  const client = new Client(database.url);
  const cutOff = new Promise<Error>((resolve) => client.on('error', resolve));
  await client.connect();
  await database.drop();
  expect((await cutOff).message).toMatch(/terminat/);
});
