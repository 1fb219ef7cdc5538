import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { definitions } from '../../apps/server/src/database/schemas.js';

/** The page without the spaces that align its tables. */
const page = readFileSync('docs/events.md', 'utf8').replace(/ +/g, ' ');

it('docs/events.md lists the triggers of all libs, and no others', () => {
  const made = definitions.flatMap(({ name, file }) =>
    [...readFileSync(file, 'utf8').matchAll(/CREATE OR REPLACE TRIGGER (\w+) AFTER (?:INSERT|UPDATE) ON (\w+)/g)].map(
      ([, trigger, table]) => `| \`${trigger}\` | \`${table}\` | \`libs/${name.slice(0, name.indexOf('/'))}\` |`,
    ),
  );
  const listed = [...page.matchAll(/^(\| `\w+` \| `\w+` \| `libs\/[\w-]+` \|)/gm)].map(([, line]) => line);

  expect(made.length).toBeGreaterThan(0);
  expect(listed.sort()).toEqual(made.sort());
});

it('docs/events.md lists the consumers', () => {
  const users = readdirSync('libs', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.startsWith('postgres/') &&
      /extends EventWorker</.test(readFileSync(join('libs', file), 'utf8')),
  );

  expect(page.includes('There is none yet.')).toBe(users.length === 0);
  for (const file of users) expect(page).toContain(`\`libs/${file.slice(0, file.indexOf('/'))}\``);
});
