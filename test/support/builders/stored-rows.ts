import type { Client } from 'pg';

export interface StoredColumn {
  readonly table: string;
  readonly column: string;
  /** As PostgreSQL names it: `text`, `_text` for an array, `jsonb`. */
  readonly type: string;
}

/** Types of columns that hold no text. */
const textless = ['bool', 'date', 'timestamptz', 'int2', 'int4', 'int8', '_int4', 'uuid', '_uuid', 'xid8'];

const columnsOf = `
  SELECT c.relname AS "table", a.attname AS "column", t.typname AS type
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;

/** The columns that can hold text, of all tables. What partitions hold is part of their table. */
export async function textColumns(client: Client): Promise<readonly StoredColumn[]> {
  const { rows } = await client.query<StoredColumn>(`${columnsOf} AND t.typname <> ALL ($1) ORDER BY 1, a.attnum`, [
    textless,
  ]);
  return rows;
}

/** The rows in which a text stands, as text or as bytes, by column. */
export async function rowsWith(
  client: Client,
  columns: readonly StoredColumn[],
  text: string,
): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const { table, column, type } of columns) {
    const shown = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const { rows } = await client.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM "${table}" t WHERE strpos(${shown}, $1) > 0 ORDER BY 1`,
      [text],
    );
    if (rows.length > 0) found[`${table}.${column}`] = rows.map(({ row }) => row);
  }
  return found;
}

/**
 * A row: its table, and the values that connect it with others or that the table demands. A function makes a value that is
 * about somebody.
 */
export type RowToWrite = readonly [table: string, values: Readonly<Record<string, unknown>>];

const values: Readonly<Record<string, unknown>> = {
  bool: false,
  date: '2026-11-30',
  timestamptz: new Date(),
  int2: 1,
  int4: 1,
  int8: 1,
  inet: '192.0.2.1',
  _text: [],
  _uuid: [],
  uuid: '00000000-0000-0000-0000-000000000001',
};

/** The value of a column that is about somebody. */
function about(text: string, { type }: StoredColumn, isAddress: boolean): unknown {
  const sentence = isAddress ? text : `Written about <${text}>, of whom more is known.`;
  switch (type) {
    case '_text':
      return [sentence];
    case 'json':
    case 'jsonb':
      return JSON.stringify({ note: sentence, list: [{ email: text }] });
    case 'bytea':
      return Buffer.from(sentence);
    case 'tsvector':
      return `'${text}'`;
    default:
      return sentence;
  }
}

/**
 * Writes rows without the program: no trigger and no foreign key acts. `named` tells whose address a column has, and
 * whether it is nothing but that address; undefined leaves the column alone.
 */
export async function writeRows(
  client: Client,
  rows: readonly RowToWrite[],
  named: (column: StoredColumn) => { readonly text: string; readonly isAddress: boolean } | undefined,
): Promise<ReadonlySet<string>> {
  const { rows: all } = await client.query<StoredColumn & { isNeeded: boolean }>(
    `SELECT q.*, a.attnotnull AND NOT a.atthasdef AS "isNeeded"
     FROM (${columnsOf}) q JOIN pg_attribute a ON a.attrelid = q."table"::regclass AND a.attname = q."column"`,
  );
  const filled = new Set<string>();
  await client.query(`SET session_replication_role = replica`);
  for (const [table, given] of rows) {
    const row = new Map(Object.entries(given));
    for (const [column, value] of row) {
      if (typeof value !== 'function') continue;
      const { text } = named({ table, column, type: 'jsonb' }) ?? { text: 'nobody' };
      row.set(column, (value as (text: string) => unknown)(text));
      filled.add(`${table}.${column}`);
    }
    for (const column of all) {
      if (column.table !== table || row.has(column.column)) continue;
      const about_ = named(column);
      if (about_ !== undefined) {
        row.set(column.column, about(about_.text, column, about_.isAddress));
        filled.add(`${table}.${column.column}`);
      } else if (column.isNeeded) {
        row.set(column.column, column.type in values ? values[column.type] : about('nobody', column, true));
      }
    }
    const names = [...row.keys()].map((name) => `"${name}"`).join(', ');
    const places = [...row.keys()].map((_, at) => `$${at + 1}`).join(', ');
    await client.query(`INSERT INTO "${table}" (${names}) VALUES (${places})`, [...row.values()]);
  }
  await client.query(`RESET session_replication_role`);
  return filled;
}
