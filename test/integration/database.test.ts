import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Database } from '#platform/database';
import { createTestDatabase, TestDatabase } from '../support/test-database.js';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  database = new Database(new Pool({ connectionString: own.url, max: 3 }));
  await database.execute({ text: 'CREATE TABLE notes (note text PRIMARY KEY)' });
});

afterAll(async () => {
  await database.pool.end();
  await own.drop();
});

beforeEach(() => database.execute({ text: 'DELETE FROM notes' }));

const insertion = (note: string) => ({ text: 'INSERT INTO notes VALUES ($1)', values: [note] });

async function notes(): Promise<string[]> {
  return (await database.query<{ note: string }>({ text: 'SELECT note FROM notes ORDER BY note' })).map(
    ({ note }) => note,
  );
}

describe('a transaction', () => {
  it('is committed when its work is done', async () => {
    await database.run((transaction) => transaction.execute(insertion('a')));

    expect(await notes()).toEqual(['a']);
  });

  it('whose commit travels behind its statements is committed with them', async () => {
    const count = await database.run(async (transaction) => {
      const written = transaction.execute(insertion('a'));
      void transaction.commit();
      return written;
    });

    expect(count).toBe(1);
    expect(await notes()).toEqual(['a']);
  });

  it.each([
    ['before', ['a', 'a', 'b']],
    ['behind which others come', ['a', 'b', 'a']],
  ])('whose commit travels behind a statement that fails, or %s, is rolled back', async (_, given) => {
    const run = database.run(async (transaction) => {
      const written = Promise.allSettled(given.map((note) => transaction.execute(insertion(note))));
      void transaction.commit();
      await written;
    });

    await expect(run).rejects.toThrow('rolled back');
    expect(await notes()).toEqual([]);
    await database.run((transaction) => transaction.execute(insertion('later')));
    expect(await notes()).toEqual(['later']);
  });

  it('rejects with what failed first, however late that is heard of', async () => {
    const heardLate = async (sent: Promise<number>): Promise<number> => {
      try {
        return await sent;
      } finally {
        await new Promise(setImmediate);
      }
    };
    const run = database.run(async (transaction) => {
      await transaction.execute(insertion('a'));
      await Promise.all([heardLate(transaction.execute(insertion('a'))), transaction.execute(insertion('b'))]);
    });

    await expect(run).rejects.toMatchObject({ code: '23505', table: 'notes' });
    expect(await notes()).toEqual([]);
  });

  it('takes no statement behind its commit', async () => {
    const run = database.run(async (transaction) => {
      void transaction.commit();
      await transaction.execute(insertion('late'));
    });

    await expect(run).rejects.toThrow('after the commit');
    expect(await notes()).toEqual([]);
  });
});
