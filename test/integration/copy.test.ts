import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { CopyRows, Database } from '#postgres/database';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let own: TestDatabase;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  const options = { connectionString: own.url, max: 2, pipeline: true };
  database = new Database(new Pool(options));
  await database.execute({
    text: 'CREATE TABLE copied (id uuid PRIMARY KEY, a text, c jsonb, d boolean, at timestamptz, e uuid, f smallint, g json)',
  });
});

afterAll(async () => {
  await database.pool.end();
  await own.drop();
});

beforeEach(() => database.execute({ text: 'DELETE FROM copied' }));

const into = 'COPY copied (id, a, c, d, at, e, f, g) FROM STDIN (FORMAT binary)';

interface Copied {
  readonly id?: string;
  readonly a?: string | null;
  readonly c?: unknown;
  readonly d?: boolean | null;
  readonly at?: Date | null;
  readonly e?: string | null;
  readonly f?: number;
  readonly g?: unknown;
}

function encoded(copied: readonly Copied[]): Uint8Array {
  const rows = new CopyRows(8);
  for (const { id = newId(), a = null, c = null, d = null, at = null, e = null, f = 0, g } of copied) {
    rows.row().uuid(id).text(a).jsonb(JSON.stringify(c)).boolean(d).timestamp(at);
    rows
      .uuid(e)
      .smallint(f)
      .text(g === undefined ? null : JSON.stringify(g));
  }
  return rows.end();
}

const copy = (rows: readonly Copied[]): Promise<void> =>
  database.run((transaction) => transaction.copy(into, encoded(rows)));

const stored = (): Promise<Required<Copied>[]> =>
  database.query({ text: 'SELECT id, a, c, d, at, e, f, g FROM copied ORDER BY id' });

it('copies back exactly any value that PostgreSQL can store', async () => {
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
  const at = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const row = fc.record({
    a: fc.option(cell),
    c: cell.map((text) => ({ [text]: text })),
    d: fc.option(fc.boolean()),
    at: fc.option(at),
    e: fc.option(fc.uuid()),
    f: fc.integer({ min: -32_768, max: 32_767 }),
    g: cell.map((text) => [text]),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (values) => {
      const rows = values.map((value) => ({ id: newId(), ...value }));
      await database.execute({ text: 'DELETE FROM copied' });
      await copy(rows);
      expect(await stored()).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

it('copies a cell that is larger than its messages, between statements that were not awaited', async () => {
  const large = 'x\ty\\'.repeat(500_000);
  const [first, second, third] = [newId(), newId(), newId()];
  await database.run(async (transaction) => {
    void transaction.execute({ text: 'INSERT INTO copied VALUES ($1)', values: [first] });
    await transaction.copy(into, encoded([{ id: second, a: large }]));
    await transaction.execute({ text: 'INSERT INTO copied VALUES ($1)', values: [third] });
  });
  expect((await stored()).map(({ a }) => a === large)).toEqual([false, true, false]);
});

it('leaves the transaction usable behind a savepoint where a row is refused', async () => {
  const known = newId();
  const rows = Array.from({ length: 20_000 }, (_, no) => ({ id: no === 1 ? known : newId(), a: 'x'.repeat(100) }));
  await database.run(async (transaction) => {
    void transaction.execute({ text: 'INSERT INTO copied VALUES ($1)', values: [known] });
    void transaction.execute({ text: 'SAVEPOINT here' });
    await expect(transaction.copy(into, encoded(rows))).rejects.toMatchObject({ code: '23505' });
    await transaction.execute({ text: 'ROLLBACK TO SAVEPOINT here' });
    await transaction.execute({ text: 'INSERT INTO copied VALUES ($1)', values: [newId()] });
  });
  expect(await stored()).toHaveLength(2);
});

it('writes nothing where a copy fails', async () => {
  const rows = new CopyRows(8);
  for (const json of ['1', 'no JSON']) {
    rows.row().uuid(newId()).text('a').jsonb(json).boolean(true).timestamp(null);
    rows.uuid(null).smallint(0).text(null);
  }
  const copied = database.run((transaction) => transaction.copy(into, rows.end()));
  await expect(copied).rejects.toMatchObject({ code: '22P02' });
  await expect(copy([{ a: 'a' }, { a: 'NUL \0' }])).rejects.toMatchObject({ code: '22021' });
  await expect(
    database.run((transaction) => transaction.copy('COPY none FROM STDIN (FORMAT binary)', encoded([{}]))),
  ).rejects.toMatchObject({ code: '42P01' });
  expect(await stored()).toEqual([]);
});
