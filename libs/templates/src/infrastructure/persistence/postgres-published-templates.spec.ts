import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { newId } from '#kernel';
import type { Database, Statement } from '#postgres/database';
import { PostgresPublishedTemplates } from './postgres-published-templates.js';

const [team, otherTeam] = [newId(), newId()];
const content = { from: null, subject: null, replyTo: null, text: null, variables: [] };
/** The look-ups of pointers, and by version what each read of a content waits for. */
let lookUps = 0;
let reads: Map<string, { resolve(rows: unknown[]): void; reject(error: Error): void }>;
let templates: PostgresPublishedTemplates;

/** The alias of a template is also the id of its version. */
async function query({ name, values }: Statement): Promise<unknown[]> {
  if (name === 'published-templates') {
    lookUps++;
    const [, , teams = [], aliases = []] = values as string[][];
    return aliases.map((alias, no) => ({ teamId: teams[no], idOrAlias: alias, templateId: 'id', versionId: alias }));
  }
  return new Promise((resolve, reject) => reads.set(String(values?.[0]), { resolve, reject }));
}

beforeEach(() => {
  lookUps = 0;
  reads = new Map();
  templates = new PostgresPublishedTemplates({ query } as unknown as Database);
});
afterEach(() => void jest.useRealTimers());

const names = (count: number): string[] => Array.from({ length: count }, (_, no) => `a${no}`);
const turns = async (): Promise<void> => {
  for (let no = 0; no < 5; no++) await new Promise((resolve) => setImmediate(resolve));
};
const arrives = (name: string): void => reads.get(name)?.resolve([{ ...content, html: name }]);

it('a content is given to its caller before the others are read, and a team reads a few at once', async () => {
  const found = names(6).map((name) => templates.find(team, name));
  await turns();
  expect([...reads.keys()]).toEqual(names(4));
  arrives('a2');
  expect(await found[2]).toMatchObject({ html: 'a2', versionId: 'a2', teamId: team });
  await turns();
  expect([...reads.keys()]).toEqual(names(5));
  for (const name of names(5)) arrives(name);
  await turns();
  arrives('a5');
  expect(await Promise.all(found)).toHaveLength(6);
});

it('another team of the same turn neither waits for the contents of a team nor fails with them', async () => {
  const failing = names(100).map((name) => expect(templates.find(team, name)).rejects.toThrow('gone'));
  const other = templates.find(otherTeam, 'b');
  await turns();
  arrives('b');
  expect(await other).toMatchObject({ html: 'b' });
  for (let no = 0; no < 30; no++) {
    for (const asked of reads.values()) asked.reject(new Error('gone'));
    await turns();
  }
  await Promise.all(failing);
  expect(lookUps).toBe(1);
});

it('callers of one version share its read, and later ones need none', async () => {
  const both = [templates.find(team, 'a'), templates.find(team, 'a')];
  await turns();
  const late = templates.find(team, 'a');
  await turns();
  arrives('a');
  const [one, ...others] = await Promise.all([...both, late]);
  reads.clear();
  const cached = await templates.find(team, 'a');
  expect([...others, cached].every((each) => each === one)).toBe(true);
  expect([lookUps, reads.size]).toEqual([3, 0]);
});

it('contents are compiled in turns of their own', async () => {
  const found = names(3).map((name) => templates.find(team, name));
  await turns();
  for (const name of names(3)) arrives(name);
  const order: string[] = [];
  for (const [no, each] of found.entries()) void each.then(() => order.push(`a${no}`));
  const first = new Promise((resolve) => setImmediate(resolve));
  await first;
  expect(order).toEqual(['a0']);
  await turns();
  expect(order).toEqual(names(3));
});

it('who would wait for too long is refused', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const waiting = names(5).map((name) => templates.find(team, name));
  const refused = expect(waiting[4]).rejects.toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
  await turns();
  await jest.advanceTimersByTimeAsync(20_000);
  await refused;
  for (const name of names(4)) arrives(name);
  expect(await Promise.all(waiting.slice(0, 4))).toHaveLength(4);
});
