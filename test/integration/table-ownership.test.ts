import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { definitions, schemas } from '../../apps/server/src/database/schemas.js';
import { SqlText, sqlInSources, textsIn } from '../support/described/sql-in-sources.js';
import { callsIn, interpolation, tablesIn } from '../support/described/sql-tables.js';

/** The owner of each table and view, by name. */
const owners = new Map(schemas.flatMap(({ owner, tables }) => tables.map((table) => [table, owner] as const)));
const functions = new Map<string, string>();
for (const { name, file } of definitions) {
  const owner = name.slice(0, name.indexOf('/'));
  for (const [, kind, made] of readFileSync(file, 'utf8').matchAll(/^CREATE OR REPLACE (VIEW|FUNCTION) (\w+)/gm)) {
    (kind === 'VIEW' ? owners : functions).set(made as string, owner);
  }
}
const observable = new Set(schemas.flatMap((schema) => schema.observable ?? []));

/**
 * Files whose statements get the name of a table as a value: the partitions of every lib, tables in which teams take turns, and
 * the CTE of `lockedEmails`.
 * An adapter that seems to need another entry can nearly always name its table.
 */
const namesTablesByValue = [
  'libs/postgres/src/database/daily-partitions.ts',
  'libs/postgres/src/database/teams-in-turn.ts',
  'libs/postgres/src/retention/old-days.ts',
  'libs/emails/src/infrastructure/persistence/email-locks.ts',
];

function violations({ owner, file, text }: SqlText): string[] {
  const tables = tablesIn(text).flatMap(({ table, kind }) => {
    if (table.includes(interpolation) && table !== interpolation) return [];
    if (table === interpolation) return namesTablesByValue.includes(file) ? [] : [`${file} names a table by a value`];
    const of = owners.get(table);
    const isAllowed = of === undefined || of === owner || table.startsWith('published_');
    return isAllowed || (kind === 'trigger' && observable.has(table)) ? [] : [`${file} touches ${table} of ${of}`];
  });
  const calls = callsIn(text).flatMap((name) => {
    const of = functions.get(name);
    return of === undefined || of === owner ? [] : [`${file} calls ${name}() of ${of}`];
  });
  return [...tables, ...calls];
}

/** Like the migrations, it works on whole tables of all libs: it has them replicated. */
const forAllLibs = 'apps/server/src/cells/connect-cell.ts';
const texts = sqlInSources().filter(({ file }) => file !== forAllLibs);

it('statements touch only the tables of their own lib, and views that others publish', () => {
  expect(texts.flatMap(violations)).toEqual([]);
});

it('claims of rows are generated, but for those of the lanes of delivery', () => {
  const byHand = texts.filter(({ owner, text }) => owner !== 'delivery' && /\bSKIP LOCKED\b/.test(text));
  expect(byHand.map(({ file }) => file)).toEqual(['libs/postgres/src/database/claims.ts']);
});

it('the search finds a use of every table by its owner, and of every published view', () => {
  const used = new Set(texts.flatMap(({ owner, text }) => tablesIn(text).map(({ table }) => `${owner} ${table}`)));
  const unused = [...owners].filter(
    ([table, owner]) => !used.has(`${owner} ${table}`) && !table.startsWith('published_'),
  );
  expect(unused).toEqual([]);
  const read = new Set([...used].map((use) => use.slice(use.indexOf(' ') + 1)));
  expect([...owners.keys()].filter((table) => table.startsWith('published_') && !read.has(table))).toEqual([]);
});

it('each table has one owner', () => {
  const all = schemas.flatMap(({ tables }) => tables);
  expect(all.filter((table, index) => all.indexOf(table) !== index)).toEqual([]);
});

describe('a violation is found', () => {
  const inModule = (statement: string, owner = 'webhooks'): string[] =>
    textsIn(statement).flatMap((text) => violations({ owner, file: 'it.ts', text }));

  it.each([
    ['`SELECT 1 FROM emails WHERE id = $1`', 'emails'],
    ['`select 1 from emails`', 'emails'],
    ['`SELECT 1 FROM webhooks w, ${other} o, emails e`', 'emails'],
    ['`SELECT 1 FROM webhooks w LEFT JOIN "emails" e ON e.id = w.id`', 'emails'],
    ['`SELECT 1 FROM webhooks w CROSS JOIN LATERAL (SELECT * FROM public.recipients LIMIT 1) r`', 'recipients'],
    ['`WITH a AS (DELETE FROM webhook_queue q USING emails e RETURNING *) SELECT * FROM a`', 'emails'],
    ['`UPDATE emails SET size = 1`', 'emails'],
    ['`UPDATE webhooks w SET endpoint = e.id FROM domains d, emails e`', 'domains'],
    ["`INSERT INTO notices (key) VALUES ('x')`", 'notices'],
    ["'SELECT 1 ' + 'FROM ' + 'emails'", 'emails'],
    ['`SELECT ${sql ? `a FROM emails` : ``}`', 'emails'],
    ["'LOCK TABLE teams IN SHARE MODE'", 'teams'],
    ['`TRUNCATE webhooks, emails`', 'emails'],
    ['`COPY emails (id, size) FROM STDIN`', 'emails'],
    ['`CREATE TRIGGER t AFTER INSERT OR UPDATE ON emails EXECUTE FUNCTION f()`', 'emails'],
  ])('%s', (source, table) => {
    expect(inModule(source)).toContain(`it.ts touches ${table} of ${owners.get(table)}`);
  });

  it.each([
    ['`SELECT first_human_engagements($1)`', 'it.ts calls first_human_engagements() of insights'],
    ['`SELECT 1 FROM ${table}`', 'it.ts names a table by a value'],
  ])('%s', (source, violation) => {
    expect(inModule(source)).toContain(violation);
  });

  it.each([
    '`SELECT 1 FROM published_emails e, webhooks`',
    '`WITH emails AS (SELECT 1) SELECT * FROM emails`',
    "`SELECT 'FROM emails' -- FROM emails`",
    '`SELECT extract(epoch FROM moment), recipients, w.emails FROM webhooks w WHERE a IS DISTINCT FROM emails`',
    '`CREATE TRIGGER t AFTER INSERT ON email_events EXECUTE FUNCTION f()`',
    "import { x } from 'emails'",
  ])('but not in %s', (source) => {
    expect(inModule(source)).toEqual([]);
  });
});
