import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { copyRow, Database } from '#platform/database';
import { createTestDatabase, TestDatabase } from '../support/test-database.js';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  const options = { connectionString: own.url, max: 2, pipeline: true };
  database = new Database(new Pool(options));
  await database.execute({ text: 'CREATE TABLE copied (no int PRIMARY KEY, a text, b text, c jsonb)' });
});

afterAll(async () => {
  await database.pool.end();
  await own.drop();
});

beforeEach(() => database.execute({ text: 'DELETE FROM copied' }));

const into = 'COPY copied (no, a, b, c) FROM STDIN';

const copy = (rows: readonly (readonly (string | null)[])[]): Promise<void> =>
  database.run((transaction) => transaction.copy(into, Buffer.from(rows.map(copyRow).join(''))));

const stored = (): Promise<{ a: string | null; b: string | null; c: unknown }[]> =>
  database.query({ text: 'SELECT a, b, c FROM copied ORDER BY no' });

it('copies back exactly any text that PostgreSQL can store', async () => {
  const hostile = fc.constantFrom(
    '\\',
    '\t',
    '\n',
    '\r',
    '\\.',
    '\\N',
    '\\x41',
    '\v',
    '\b',
    '"',
    'é',
    '\u{10ffff}',
    '\u2028',
    '',
  );
  const bytes = fc.uint8Array().map((given) => Buffer.from(given).toString('utf8'));
  const cell = fc
    .oneof(
      fc.array(hostile).map((parts) => parts.join('')),
      bytes,
      fc.string({ unit: 'binary' }),
    )
    .map((text) => text.replaceAll('\0', '').toWellFormed());
  const row = fc.record({ a: fc.option(cell), b: cell, c: cell });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      await database.execute({ text: 'DELETE FROM copied' });
      await copy(rows.map(({ a, b, c }, no) => [String(no), a, b, JSON.stringify({ [c]: c })]));
      expect(await stored()).toEqual(rows.map(({ a, b, c }) => ({ a, b, c: { [c]: c } })));
    }),
    { numRuns: 50 },
  );
});

it('copies a cell that is larger than its messages, between statements that were not awaited', async () => {
  const large = 'x\ty\\'.repeat(500_000);
  await database.run(async (transaction) => {
    void transaction.execute({ text: 'INSERT INTO copied VALUES (1)' });
    await transaction.copy(into, Buffer.from(copyRow(['2', large, null, null])));
    await transaction.execute({ text: 'INSERT INTO copied VALUES (3)' });
  });
  expect((await stored()).map(({ a }) => a === large)).toEqual([false, true, false]);
});

it('leaves the transaction usable behind a savepoint where a row is refused', async () => {
  const rows = Array.from({ length: 20_000 }, (_, no) => copyRow([String(no), 'x'.repeat(100), null, null])).join('');
  const copied = database.run(async (transaction) => {
    void transaction.execute({ text: 'INSERT INTO copied VALUES (1)' });
    void transaction.execute({ text: 'SAVEPOINT here' });
    await expect(transaction.copy(into, Buffer.from(rows))).rejects.toMatchObject({ code: '23505' });
    await transaction.execute({ text: 'ROLLBACK TO SAVEPOINT here' });
    await transaction.execute({ text: 'INSERT INTO copied VALUES (2)' });
  });
  await copied;
  expect(await stored()).toHaveLength(2);
});

it('writes nothing where a copy fails', async () => {
  await expect(
    copy([
      ['1', 'a', null, null],
      ['2', 'a', null, 'no JSON'],
    ]),
  ).rejects.toMatchObject({ code: '22P02' });
  await expect(
    database.run((transaction) => transaction.copy('COPY none FROM STDIN', Buffer.from('1\n'))),
  ).rejects.toMatchObject({
    code: '42P01',
  });
  expect(await stored()).toEqual([]);
});
