import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { Database } from '#postgres/database';
import { addressSpellings, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { AuditData } from '../../libs/audit/src/infrastructure/persistence/postgres-audit-log.js';
import { TeamEventsData } from '../../libs/postgres/src/privacy/team-events-data.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

const megabyte = 1024 * 1024;
const address = 'ada@portions.test';
const large = 'x'.repeat(megabyte);
const rows = 11;

let testDatabase: TestDatabase;
let pool: Pool;
let database: Database;
let largestAnswer = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 2 });
  database = new Database(pool);
  const query = database.query.bind(database);
  jest.spyOn(database, 'query').mockImplementation(async (statement) => {
    const answer = await query(statement);
    largestAnswer = Math.max(largestAnswer, JSON.stringify(answer).length);
    return answer;
  });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

async function exportedAndErased(data: PersonalData, teamId: string): Promise<[exported: number, erased: number]> {
  const subject = { teamId, address, spellings: addressSpellings(address) };
  largestAnswer = 0;
  let exported = 0;
  for await (const record of data.records(subject)) if (JSON.stringify(record).length > megabyte) exported++;
  expect(largestAnswer).toBeGreaterThan(megabyte);
  expect(largestAnswer).toBeLessThan(4.5 * megabyte);
  largestAnswer = 0;
  const { erased } = await data.erase(subject, undefined);
  expect(largestAnswer).toBeLessThan(10_000);
  return [exported, erased];
}

it('large events of an address are exported a few at a time, and are not read to be erased', async () => {
  const teamId = newId();
  for (let n = 0; n < rows; n++) {
    await database.execute({
      text: `INSERT INTO team_events (id, team_id, type, data, created_at) VALUES ($1, $2, 'contact.updated', $3, now())`,
      values: [newId(), n === 5 ? newId() : teamId, JSON.stringify({ email: address, large })],
    });
  }
  const data = new TeamEventsData(new PersonalDataHolders(), database);
  expect(await exportedAndErased(data, teamId)).toEqual([rows - 1, rows - 1]);
});

it('so are large rows that name it anywhere in their text', async () => {
  const teamId = newId();
  for (let n = 0; n < rows; n++) {
    await database.execute({
      text: `INSERT INTO audit_entries (id, team_id, action, actor_kind, after) VALUES ($1, $2, 'a', 'service', $3)`,
      values: [newId(), teamId, JSON.stringify({ text: n === 5 ? 'nobody' : `to ${address}`, large })],
    });
  }
  const data = new AuditData(new PersonalDataHolders(), database);
  expect(await exportedAndErased(data, teamId)).toEqual([rows - 1, rows - 1]);
});
