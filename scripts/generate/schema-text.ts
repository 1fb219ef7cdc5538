import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';
import { schemas } from '../../apps/server/src/database/schemas.js';

const head = `-- The whole schema, lib by lib, as an empty database has it after the migrations. Written by \`npm run docs:schema\`, for
-- reading: the program makes its tables by migrations, and its views, functions and triggers from the SQL files of the libs.
-- Left out are the daily partitions and the tables of BullMQ.
`;

interface Table {
  readonly name: string;
  readonly kind: string;
  readonly body: string;
  readonly tail: string;
  readonly after: readonly string[];
}

/** The schema of a migrated database as reproducible SQL. Throws if a table belongs to no lib, or a lib's table is missing. */
export async function schemaText(client: ClientBase): Promise<string> {
  const tables = new Map((await tablesOf(client)).map((table) => [table.name, table]));
  const sections: string[] = [];
  for (const { owner, tables: names, definitions = [] } of schemas) {
    const texts = names.map((name) => textOf(tables.get(name), name));
    for (const name of names) tables.delete(name);
    const files = await Promise.all(definitions.map(({ file }) => readFile(file, 'utf8')));
    const title = owner.includes('/') ? owner : `libs/${owner}`;
    sections.push([`-- == ${title}`, ...texts, ...files.map((text) => text.trimEnd())].join('\n\n'));
  }
  if (tables.size > 0) throw new Error(`No lib has declared ${[...tables.keys()].join(', ')}`);
  return `${head}\n${sections.join('\n\n')}\n`;
}

function textOf(table: Table | undefined, name: string): string {
  if (table === undefined) throw new Error(`There is no table ${name}`);
  const { kind, body, tail, after } = table;
  return [`CREATE ${kind} ${name} (\n${body}\n)${tail};`, ...after.map((line) => `${line};`)].join('\n');
}

async function tablesOf(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname AS name, CASE WHEN c.relpersistence = 'u' THEN 'UNLOGGED TABLE' ELSE 'TABLE' END AS kind,
      (SELECT string_agg('  ' || part, E',\\n' ORDER BY position) FROM (
         SELECT a.attnum AS position, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attidentity <> '' THEN 'GENERATED ALWAYS AS IDENTITY' END,
           'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), CASE WHEN a.attnotnull THEN 'NOT NULL' END) AS part
         FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         UNION ALL
         SELECT 1000 + row_number() OVER (ORDER BY contype = 'p' DESC, contype, conname), pg_get_constraintdef(oid)
         FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('p', 'u', 'f', 'c', 'x')
       ) AS parts) AS body,
      coalesce(' PARTITION BY ' || pg_get_partkeydef(c.oid), '')
        || coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '') AS tail,
      ARRAY(
        SELECT line FROM (
          SELECT 1 AS kind, a.attname AS name, format('ALTER TABLE %I ALTER COLUMN %I SET STORAGE %s', c.relname, a.attname,
                 CASE a.attstorage WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'PLAIN' END) AS line
          FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.attstorage <> t.typstorage
          UNION ALL
          SELECT 2, i.relname, replace(pg_get_indexdef(i.oid), ' ' || current_schema() || '.', ' ') FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
          WHERE x.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.conrelid = c.oid)
        ) AS lines ORDER BY kind, name COLLATE "C"
      ) AS after
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname !~ '^bullmq'
    ORDER BY c.relname COLLATE "C"`);
  return rows;
}
