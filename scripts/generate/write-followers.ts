import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, schemas } from '../../apps/server/src/database/schemas.js';

export const followersPage = 'docs/who-follows.md';

const owners = new Map(schemas.flatMap(({ owner, tables }) => tables.map((table) => [table, owner] as const)));

interface TriggerFunction {
  readonly owner: string;
  readonly about: string;
  readonly body: string;
}

interface Trigger {
  readonly table: string;
  readonly when: string;
  readonly calls: string;
}

/** The definitions of all libs: what each function does, and the triggers that call one. */
function readDefinitions(): { functions: ReadonlyMap<string, TriggerFunction>; triggers: readonly Trigger[] } {
  const functions = new Map<string, TriggerFunction>();
  const triggers: Trigger[] = [];
  for (const { name, file } of definitions) {
    const owner = name.slice(0, name.indexOf('/'));
    const [comment = '', ...made] = readFileSync(file, 'utf8').split(/^CREATE OR REPLACE /m);
    for (const body of made) {
      const [kind, called = ''] = body.split(/[\s(]/, 2);
      if (kind === 'FUNCTION') functions.set(called, { owner, about: firstSentence(comment, '--'), body });
      if (kind === 'TRIGGER') triggers.push(readTrigger(body));
    }
  }
  return { functions, triggers };
}

/** Of `TRIGGER name AFTER events ON table … EXECUTE FUNCTION name();`. */
function readTrigger(statement: string): Trigger {
  const words = statement.split(/\s+/);
  const [after, on, execute] = [words.indexOf('AFTER'), words.indexOf('ON'), words.indexOf('EXECUTE')];
  const when = words
    .slice(after + 1, on)
    .join(' ')
    .toLowerCase();
  const [calls = ''] = (words[execute + 2] ?? '').split('(');
  return { table: words[on + 1] ?? '', when, calls };
}

/** Of a comment whose lines begin with this mark. */
function firstSentence(comment: string, mark: '--' | '*'): string {
  const text = comment
    .split('\n')
    .map((line) => line.trim())
    .map((line) => (line.startsWith(mark) ? line.slice(mark.length).trim() : line))
    .join(' ')
    .trim();
  const end = Math.min(...[text.indexOf('. '), text.indexOf(': ')].map((at) => (at === -1 ? text.length : at)));
  return text.slice(0, end).replace(/\.$/, '');
}

/** The tables that a function writes, itself or by the functions that it calls. */
function writtenBy(name: string, functions: ReadonlyMap<string, TriggerFunction>, seen = new Set<string>()): string[] {
  const body = functions.get(name)?.body;
  if (body === undefined || seen.has(name)) return [];
  seen.add(name);
  const own = [...body.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/g)].map(([, table = '']) => table);
  const called = [...functions.keys()].filter((other) => new RegExp(`\\b${other}\\(`).test(body));
  const all = [
    ...own.filter((table) => owners.has(table)),
    ...called.flatMap((other) => writtenBy(other, functions, seen)),
  ];
  return [...new Set(all)].sort();
}

/** The files whose statements read the table. What is exported and erased (`…-data.ts`) is left out. */
function readersOf(table: string, sources: readonly Source[]): string[] {
  const reads = new RegExp(`\\b(?:FROM|UPDATE|JOIN) ${table}\\b`);
  return sources.filter(({ file, text }) => !file.endsWith('-data.ts') && reads.test(text)).map(({ file }) => file);
}

interface Source {
  readonly file: string;
  readonly text: string;
}

function readSources(): Source[] {
  return readdirSync('libs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .sort()
    .map((inLibs) => ({ file: join('libs', inLibs), text: readFileSync(join('libs', inLibs), 'utf8') }));
}

interface Consumer {
  readonly name: string;
  readonly log: string;
  readonly file: string;
  readonly about: string;
}

/** The classes that follow a log with a cursor of their own. */
function readConsumers(sources: readonly Source[]): Consumer[] {
  const ofFeatures = sources.filter(({ file }) => !file.startsWith('libs/postgres/'));
  return ofFeatures.flatMap(({ file, text }) => {
    const parts = text.split(' extends EventWorker<');
    return parts.slice(1).map((after, no): Consumer => {
      const before = parts[no] ?? '';
      const comment = before.slice(before.lastIndexOf('/**') + '/**'.length, before.lastIndexOf('*/'));
      const [, name = ''] = /\bname: '([\w-]+)'/.exec(after) ?? [];
      const [, log = ''] = /\b(\w+Log),/.exec(after) ?? [];
      return { name, log, file, about: firstSentence(comment, '*') };
    });
  });
}

/** The page, made of the definitions and sources as they are. */
export function followersText(): string {
  const { functions, triggers } = readDefinitions();
  const sources = readSources();
  const tables = [...new Set(triggers.map(({ table }) => table))].sort();
  const sections = tables.map((table) => {
    const rows = triggers
      .filter((trigger) => trigger.table === table)
      .map(({ when, calls }) => {
        const { owner = '', about = '' } = functions.get(calls) ?? {};
        const written = writtenBy(calls, functions).map((name) => `\`${name}\``);
        return `| ${when} | ${owner} | \`${calls}()\` | ${about} | ${written.join(', ')} |`;
      });
    return [
      `### \`${table}\` (${owners.get(table) ?? 'no owner'})`,
      '',
      '| after | lib | function | what it does | tables that it writes |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
      '',
    ].join('\n');
  });
  const written = [...new Set(triggers.flatMap(({ calls }) => writtenBy(calls, functions)))].sort();
  const read = written.flatMap((table) => {
    const readers = readersOf(table, sources).map((file) => `\`${file}\``);
    return readers.length === 0 ? [] : [`| \`${table}\` | ${readers.join(', ')} |`];
  });
  const consumers = readConsumers(sources).map(
    ({ name, log, file, about }) => `| \`${name}\` | \`${log}\` | ${about} | \`${file}\` |`,
  );
  return [
    '# Who follows what',
    '',
    'What happens when a row is written, without a call in the code that writes it. This page is made by `npm run docs:followers`.',
    '[Triggers and cursors](decisions/triggers-and-cursors.md) says when to use which. `libs/events/src/event-types.ts` says which events are',
    'outcomes and which ones endpoints may subscribe to.',
    '',
    '<!-- prettier-ignore-start -->',
    '',
    '## Triggers, in the transaction of the row',
    '',
    ...sections,
    '## Where that goes on',
    '',
    '| table | read in |',
    '| --- | --- |',
    ...read,
    '',
    '## Consumers with a cursor, shortly after the commit',
    '',
    '| consumer | log | what it does | file |',
    '| --- | --- | --- | --- |',
    ...consumers,
    '',
    '<!-- prettier-ignore-end -->',
    '',
  ].join('\n');
}

if (process.argv[1]?.endsWith('write-followers.js') === true) writeFileSync(followersPage, followersText());
