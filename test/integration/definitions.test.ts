import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { installDefinitions, NewerDefinitionsError, SqlDefinition } from '#postgres/database';
import { migrate, NewerSchemaError } from '../../apps/server/src/database/migrate.js';
import { definitions } from '../../apps/server/src/database/schemas.js';
import { installedTexts } from '../support/described/installed-texts.js';
import { createTestDatabase, TestDatabase } from '../support/servers/test-database.js';

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

/** The installed texts after all files have been run again. The database is left unchanged. */
async function textsOfFiles(): Promise<Record<string, string>> {
  await client.query('BEGIN');
  for (const { file } of definitions) await client.query(await readFile(file, 'utf8'));
  const texts = await installedTexts(client);
  await client.query('ROLLBACK');
  return texts;
}

/** Functions of which indexes are made. Only a migration may change one, since it has to build the index again. */
const ofIndexes = new Set(['function folded_case']);

it('a fresh database has the views, functions and triggers of the files, and no others', async () => {
  const texts = await installedTexts(client);

  expect(texts).toEqual(await textsOfFiles());
  const inFiles = await Promise.all(definitions.map(({ file }) => readFile(file, 'utf8')));
  const made = inFiles.join('\n').match(/^CREATE OR REPLACE (?:VIEW|FUNCTION|TRIGGER) /gm) ?? [];
  expect(Object.keys(texts).filter((name) => !ofIndexes.has(name))).toHaveLength(made.length);
});

it('a database of an earlier version gets the definitions while transactions that only read continue', async () => {
  const fresh = await installedTexts(client);
  await client.query('DELETE FROM installed_definitions');
  await client.query('DROP VIEW published_feedback_reports');
  await client.query(`CREATE OR REPLACE FUNCTION count_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
                      BEGIN RETURN NULL; END $$`);
  await client.query('BEGIN; SELECT FROM email_events; SELECT FROM team_events');

  await migrate(database.url);

  await client.query('COMMIT');
  expect(await installedTexts(client)).toEqual(fresh);
});

it('tables are locked only if a definition changed', async () => {
  await client.query('BEGIN; LOCK TABLE email_events, emails, webhooks IN ACCESS EXCLUSIVE MODE');

  expect(await onOther((other) => installDefinitions(other, definitions))).toEqual([]);
  await client.query('ROLLBACK');
});

it('only a changed definition is installed, and one that fails changes nothing', async () => {
  const changed = await changedCopy('insights/count-email-events.function.sql', (text) =>
    text.replace('BEGIN\n', 'BEGIN -- changed\n'),
  );
  const broken = await changedCopy('webhooks/tell-webhooks.trigger.sql', () => 'CREATE OR REPLACE TRIGGER nonsense');
  const before = await installedTexts(client);

  await expect(installDefinitions(client, [changed, broken])).rejects.toThrow(/syntax error/);
  expect(await installedTexts(client)).toEqual(before);

  expect(await installDefinitions(client, [...definitions, changed])).toEqual([changed.name]);
  const { 'function count_email_events': text, ...others } = await installedTexts(client);
  expect(text).toContain('-- changed');
  expect(before).toMatchObject(others);
});

it('a program with older definitions than the installed ones changes nothing and reports an error', async () => {
  const later = await changedCopy('insights/count-email-events.function.sql', (text) => `-- Later.\n${text}`);
  await installDefinitions(client, [later]);

  await expect(installDefinitions(client, definitions)).rejects.toThrow(NewerDefinitionsError);
  await expect(migrate(database.url)).rejects.toThrow(NewerSchemaError);
  await expect(migrate(database.url)).rejects.toThrow(
    /has a later insights\/count-email-events\.function\.sql\. Start/,
  );
});

it('every SQL file of a lib is installed, and the build copies it', async () => {
  const listed = definitions.map(({ file }) => file.pathname.replace(/^.*\/libs\//, 'libs/')).sort();
  const files = (await readdir('libs', { recursive: true })).filter((name) => name.endsWith('.sql'));

  expect(files.map((name) => join('libs', name)).sort()).toEqual(listed);
  expect(listed.filter((name) => existsSync('dist/libs') && !existsSync(join('dist', name)))).toEqual([]);
});

async function changedCopy(name: string, change: (text: string) => string): Promise<SqlDefinition> {
  const { file } = definitions.find((definition) => definition.name === name) as SqlDefinition;
  const copy = join(folder, `${copies++}.sql`);
  await copyFile(file, copy);
  await writeFile(copy, change(await readFile(file, 'utf8')));
  return { name, file: pathToFileURL(copy) };
}

let folder: string;
let copies = 0;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'postrider-sql-'))));
afterEach(() => rm(folder, { recursive: true }));

async function onOther<Result>(work: (other: Client) => Promise<Result>): Promise<Result> {
  const other = new Client({ connectionString: database.url, lock_timeout: 500 });
  await other.connect();
  try {
    return await work(other);
  } finally {
    await other.end();
  }
}
