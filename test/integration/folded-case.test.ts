import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { foldedCase, newId } from '#kernel';
import { ReadDatabase } from '#postgres/database';
import { Filter, TextOperator } from '../../libs/audience/src/domain/filters/filter.js';
import { ContactPages } from '../../libs/audience/src/infrastructure/persistence/contact-pages.js';
import { compileFilter } from '../../libs/audience/src/infrastructure/persistence/filters/compile-filter.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let testDatabase: TestDatabase;
let pool: Pool;
const team = newId();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new Pool({ connectionString: testDatabase.url, max: 2 });
  await pool.query(`INSERT INTO teams VALUES ($1, 'Names', now())`, [team]);
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

/** The texts that SQL folds in another way than JavaScript. */
async function foldedDifferently(texts: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ folded: string[] }>(
    `SELECT array_agg(folded_case(t.text) ORDER BY t.no) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS t (text, no)`,
    [texts],
  );
  return texts.filter((text, no) => foldedCase(text) !== rows[0]?.folded[no]);
}

it('SQL and JavaScript fold every character alike', async () => {
  const { rows } = await pool.query<{ folded: string[][] }>(
    `SELECT array_agg(ARRAY[chr(n), folded_case(chr(n))] ORDER BY n) AS folded
     FROM generate_series(1, 1114111) n WHERE n NOT BETWEEN 55296 AND 57343 AND folded_case(chr(n)) <> chr(n)`,
  );
  const folded = [];
  for (let code = 1; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (foldedCase(character) !== character) folded.push([character, foldedCase(character)]);
  }
  expect(rows[0]?.folded).toEqual(folded);
});

it('SQL and JavaScript fold random texts alike', async () => {
  let seed = 17;
  const below = (end: number): number => (seed = (seed * 48_271) % 0x7fffffff) % end;
  // Letters whose case depends on their neighbours, and what stands between them.
  const odd = [
    'Σ',
    'ς',
    'σ',
    'İ',
    'i\u0307',
    'I',
    'ı',
    'ß',
    'ẞ',
    'ﬁ',
    'ŉ',
    'Ǆ',
    'ᾼ',
    'Ꭰ',
    'ꭰ',
    'Ა',
    'K',
    '\u0301',
    '\u0345',
    '.',
    ' ',
    '\u00ad',
    '-',
  ];
  const scripts = [
    0x20, 0xc0, 0x370, 0x400, 0x530, 0x10a0, 0x13a0, 0x1c80, 0x1e00, 0x1f00, 0x2c00, 0xa640, 0xa720, 0xab70, 0x10400,
    0x10570, 0x118a0, 0x1e900,
  ];
  const texts = Array.from({ length: 50_000 }, () =>
    Array.from({ length: 1 + below(12) }, () =>
      below(2) === 0
        ? (odd[below(odd.length)] as string)
        : String.fromCodePoint((scripts[below(scripts.length)] as number) + below(0x60)),
    ).join(''),
  );
  expect(await foldedDifferently(texts)).toEqual([]);
});

/** Names that are the same without case, and the beginning of each. */
const names = [
  ['ΝΊΚΟΣ', 'νίκος', 'Νίκος', 'νίκοσ'],
  ['İSTANBUL', 'i̇stanbul'],
  ['ÅSA', 'åsa'],
  ['ŁUKASZ', 'łukasz'],
  ['ᎠᏂᎩ', 'ꭰꮒꭹ'],
  ['STRAẞE', 'straße'],
] as const;

async function foundBy(filter: Filter): Promise<number> {
  const { condition, values } = compileFilter(
    filter,
    2,
    { topics: new Map(), segments: new Map(), broadcasts: new Set() },
    new Date(),
  );
  const { rows } = await pool.query(`SELECT FROM contacts c WHERE c.team_id = $1 AND ${condition}`, [team, ...values]);
  return rows.length;
}

it('searches and segments find a name in every spelling of its case', async () => {
  for (const spellings of names) {
    for (const [no, name] of spellings.entries()) {
      await pool.query(
        `INSERT INTO contacts (id, team_id, email, first_name, last_name, properties, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, now(), now())`,
        [newId(), team, `${newId()}@names.test`, name, `Of ${no}`, { city: name }],
      );
    }
  }
  const pages = new ContactPages(new ReadDatabase(pool));
  for (const spellings of names) {
    for (const text of spellings) {
      const found = await pages.read(team, { limit: 100 }, { segmentId: undefined, search: { text } });
      expect([text, found.length]).toEqual([text, spellings.length]);
      for (const operator of ['eq', 'contains', 'starts_with', 'ends_with'] satisfies TextOperator[]) {
        for (const subject of ['first_name', { property: 'city' }] as const) {
          const value = operator === 'eq' ? text : operator === 'ends_with' ? text.slice(1) : text.slice(0, -1);
          expect([text, operator, await foundBy({ kind: 'text', subject, operator, value })]).toEqual([
            text,
            operator,
            spellings.length,
          ]);
        }
      }
    }
  }
});
