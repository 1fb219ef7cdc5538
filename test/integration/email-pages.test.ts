import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventSearch } from '#emails';
import { Database, ReadDatabase } from '#postgres/database';
import { Client } from 'pg';
import { EmailEventFinder } from '../../libs/emails/src/infrastructure/persistence/email-event-finder.js';
import { storeEmails } from '../bench/stored-emails.js';
import { startProgram, TestProgram } from '../support/programs/program.js';

let program: TestProgram;
let newestFirst: string[];

beforeAll(async () => {
  program = await startProgram();
  const client = new Client({ connectionString: program.database.url });
  await client.connect();
  try {
    await storeEmails(client, 90);
    const { rows } = await client.query<{ id: string }>('SELECT id FROM emails ORDER BY id DESC');
    newestFirst = rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
});

afterAll(() => program.stop());

async function page(query: string): Promise<{ ids: string[]; hasMore: boolean }> {
  const response = await program.request(`/emails?${query}`);
  const { data, has_more } = (await response.json()) as { data: { id: string }[]; has_more: boolean };
  return { ids: data.map(({ id }) => id), hasMore: has_more };
}

/** Three emails on each of 30 days, so that every full page spans several days. */
describe('pages of emails over a month', () => {
  it('follow each other from the newest to the oldest', async () => {
    const read: string[] = [];
    for (let query = 'limit=7'; ;) {
      const { ids, hasMore } = await page(query);
      read.push(...ids);
      if (!hasMore) break;
      query = `limit=7&after=${ids.at(-1)}`;
    }
    expect(newestFirst).toHaveLength(90);
    expect(read).toEqual(newestFirst);
  });

  it('follow each other from the oldest to the newest', async () => {
    const read: string[] = [];
    for (let before = newestFirst.at(-1); ;) {
      const { ids, hasMore } = await page(`limit=7&before=${before}`);
      read.unshift(...ids);
      if (!hasMore) break;
      before = ids[0];
    }
    expect(read).toEqual(newestFirst.slice(0, -1));
  });
});

/** A team with few emails has their events read, any other one the log of all teams. */
it.each<[name: string, search: Partial<EventSearch>, count: number]>([
  ['of all types, oldest first', { isAscending: true }, 180],
  ['of all types, newest first', { isAscending: false }, 180],
  ['of one type', { types: ['email.delivered'], isAscending: true }, 90],
  ['of one recipient', { recipient: 'USER1@sink.test', isAscending: false }, 60],
  ['of the last ten days', { from: new Date(Date.now() - 10 * 86_400_000), isAscending: true }, 60],
  ['of the first ten days', { to: new Date(Date.now() - 20 * 86_400_000), isAscending: false }, 63],
])('events %s are found alike for a team with few emails and with many', async (_, search, count) => {
  const database = program.postrider.app.get(ReadDatabase, { strict: false });
  const [{ team_id: team = '' } = {}] = await database.query<{ team_id: string }>({
    text: 'SELECT team_id FROM api_keys ORDER BY id LIMIT 1',
  });
  const found = async (few: number): Promise<string[]> => {
    const finder = new EmailEventFinder(database, few);
    const all: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await finder.find(team, { types: [], limit: 7, isAscending: true, ...search, after });
      all.push(...page.items.map(({ emailId, seq }) => `${emailId} ${seq}`));
      after = page.next;
      if (after === undefined) return all;
    }
  };

  const many = await found(1);
  expect(await found(1_000)).toEqual(many);
  expect(new Set(many).size).toBe(many.length);
  expect(Math.abs(many.length - count)).toBeLessThanOrEqual(6);
});

it('the emails of a broadcast are found at once, in pages of both directions, by their own team alone', async () => {
  const broadcast = '01890000-0000-7000-8000-0000000000b1';
  const mine = newestFirst.filter((_, no) => no % 3 === 0);
  const stranger = mine.at(-1) ?? '';
  await change(
    `INSERT INTO broadcast_recipients (broadcast_id, contact_id, team_id, email, email_id, outcome)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), 'x@sink.test', id, 'accepted' FROM unnest($2::uuid[]) AS e (id)`,
    [broadcast, mine],
  );
  await change('UPDATE emails SET team_id = gen_random_uuid() WHERE id = $1', [stranger]);
  const first = await page(`broadcast_id=${broadcast}&limit=20`);
  expect(first).toEqual({ ids: mine.slice(0, 20), hasMore: true });
  const second = await page(`broadcast_id=${broadcast}&limit=20&after=${first.ids.at(-1)}`);
  expect(second).toEqual({ ids: mine.slice(20, -1), hasMore: false });
  expect((await page(`broadcast_id=${broadcast}&limit=20&before=${second.ids[0]}`)).ids).toEqual(first.ids);
  const [{ to: [recipient] = [''] } = {}] = await rowsOf(mine[0] ?? '');
  expect((await page(`broadcast_id=${broadcast}&recipient=${recipient}`)).ids).toContain(mine[0]);
  expect((await page(`broadcast_id=${broadcast}&q=${mine[1]}`)).ids).toEqual([mine[1]]);
  expect((await page(`broadcast_id=${broadcast}&status=canceled`)).ids).toEqual([]);
  expect((await page(`broadcast_id=${stranger}&limit=5`)).ids).toEqual([]);
  expect((await program.request('/emails?broadcast_id=news')).status).toBe(422);
});

async function change(text: string, values: unknown[]): Promise<void> {
  await program.postrider.app.get(Database).execute({ text, values });
}

async function rowsOf(id: string): Promise<readonly { readonly to: string[] }[]> {
  return program.postrider.app.get(Database).query({ text: 'SELECT "to" FROM emails WHERE id = $1', values: [id] });
}
