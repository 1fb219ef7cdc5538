import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { storeEmails } from '../bench/stored-emails.js';
import { startProgram, TestProgram } from '../support/program.js';

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
