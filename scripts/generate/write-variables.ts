import { readFile, writeFile } from 'node:fs/promises';
import { describeVariables } from '#platform/config';

export const configurationPage = 'docs/configuration.md';

// Prettier would pad the table to the width of its longest row.
const begin = '<!-- prettier-ignore-start -->';
const end = '<!-- prettier-ignore-end -->';

/** Returns the page with its table of variables updated from the configuration. */
export function withVariables(page: string): string {
  const [head, rest = ''] = page.split(begin, 2);
  const [, tail = ''] = rest.split(end, 2);
  return `${head}${begin}\n\n${describeVariables()}\n\n${end}${tail}`;
}

if (process.argv[1]?.endsWith('write-variables.js') === true) {
  await writeFile(configurationPage, withVariables(await readFile(configurationPage, 'utf8')));
}
