import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';

const vulnerable: [kind: string, pattern: string][] = [
  ['exponential', '/^(?:[^/\\s]+(?::[^/\\s]*)*)$/'],
  ['exponential', '/^(?:a|a)*$/'],
  ['quadratic after its beginning', '/^([a-z]+):[ \\t]*(.*?)[ \\t]*$/'],
  ['quadratic at its end', '/=+$/'],
  ['quadratic because it begins anywhere', '/deferred for.*first time/i'],
];
const linear = ['/^[a-z]+: .*$/', '/[45]\\d\\d .*/', '/user.{0,30}unknown/i', '/[\\r\\n]/g'];

/** The patterns in which the rules of `npm run lint` find something. */
let refused: ReadonlySet<string>;

beforeAll(async () => {
  const patterns = [...vulnerable.map(([, pattern]) => pattern), ...linear];
  const folder = await mkdtemp(join(tmpdir(), 'postrider-expressions-'));
  const config = {
    extends: [resolve('.oxlintrc.json')],
    options: { typeAware: false },
    // These expressions stand nowhere in the code: what is found about them is not kept with it.
    rules: { 'house/vulnerable-expression': ['error', { timeout: 2_000 }] },
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  await writeFile(join(folder, 'patterns.ts'), patterns.map((one, i) => `export const a${i} = ${one};\n`).join(''));
  refused = new Set((await linesWithFindings(folder)).map((line) => patterns[line - 1] as string));
  await rm(folder, { recursive: true });
});

function linesWithFindings(folder: string): Promise<number[]> {
  const given = ['node_modules/oxlint/bin/oxlint', '--format', 'unix', '-c', join(folder, 'config.json'), folder];
  return new Promise((found) => {
    execFile(process.execPath, given, (_, output) =>
      found([...output.matchAll(/patterns\.ts:(\d+):\d+: /g)].map((match) => Number(match[1]))),
    );
  });
}

it.each(vulnerable)('the linter finds an expression that is %s: %s', (_, pattern) => {
  expect(refused).toContain(pattern);
});

it.each(linear)('the linter accepts a linear expression: %s', (pattern) => {
  expect(refused).not.toContain(pattern);
});
