import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { NoticePosts } from '../../libs/notices/src/application/ports/notice-posts.port.js';
import { PostgresNoticeOutbox } from '../../libs/notices/src/infrastructure/persistence/postgres-notice-outbox.js';
import { PostgresNotices } from '../../libs/notices/src/infrastructure/persistence/postgres-notices.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';
import { FakeClock } from '../support/fakes/fake-clock.js';

const noPosts: NoticePosts = { names: [], post: async () => undefined };

let testDatabase: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 4 });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

it('urgent notices go first, and owners take turns', async () => {
  const [database, clock] = [new Database(pool), new FakeClock()];
  const notices = new PostgresNotices(database, clock, noPosts, { values: {} } as Config);
  const outbox = new PostgresNoticeOutbox(database);
  const announce = async (key: string, fields: object): Promise<void> => {
    clock.advance(1);
    await notices.announce({ key, subject: key, text: key, to: `${key}@people.test`, ...fields });
  };
  for (let at = 0; at < 100; at++) await announce(`flood-${at}`, { owner: 'one team' });
  await announce('other', { owner: 'another team' });
  for (let at = 0; at < 3; at++) await announce(`reset-${at}`, { isUrgent: true, to: 'one@people.test' });
  await announce('own-reset', { isUrgent: true });
  const until = new Date(clock.now().getTime() + 600_000);
  const keys = async (max: number) => (await outbox.acquire(clock.now(), until, max)).map(({ key }) => key).sort();
  expect(await keys(2)).toEqual(['own-reset', 'reset-0']);
  expect(await keys(4)).toEqual(['flood-0', 'other', 'reset-1', 'reset-2']);
  expect(await keys(3)).toEqual(['flood-1', 'flood-2', 'flood-3']);
});
