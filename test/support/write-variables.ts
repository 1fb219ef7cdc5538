import { readFile, writeFile } from 'node:fs/promises';
import { describeVariables } from '#platform/config';

// Prettier would pad the table to the width of its longest row.
const begin = '<!-- prettier-ignore-start -->';
const end = '<!-- prettier-ignore-end -->';

/** The README with its table of variables as the configuration describes it now. */
export function withVariables(readme: string): string {
  const [head, rest = ''] = readme.split(begin, 2);
  const [, tail = ''] = rest.split(end, 2);
  return `${head}${begin}\n\n${describeVariables()}\n\n${end}${tail}`;
}

if (process.argv[1]?.endsWith('write-variables.js') === true) {
  await writeFile('README.md', withVariables(await readFile('README.md', 'utf8')));
}
