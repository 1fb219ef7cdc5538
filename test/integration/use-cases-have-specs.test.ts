import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const kinds = /\.(?:use-case|query)\.ts$/;

/** Use cases and queries under a folder, as paths from the root of the repository. */
function casesUnder(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => kinds.test(file)).map((file) => join(folder, file));
}

/** `send-email.use-case.ts` has its spec in `send-email.use-case.spec.ts` or in `send-email.spec.ts`. */
function hasSpec(file: string): boolean {
  return [file.replace(/\.ts$/, '.spec.ts'), file.replace(kinds, '.spec.ts')].some((spec) => existsSync(spec));
}

it('beside every use case and every query stands its unit test', () => {
  const cases = casesUnder('libs');
  expect(cases.length).toBeGreaterThan(45);
  expect(cases.filter((file) => !hasSpec(file))).toEqual([]);
});

it('a use case without a unit test is found', () => {
  expect(hasSpec('libs/emails/src/application/accept-emails.use-case.ts')).toBe(true);
  expect(hasSpec('libs/emails/src/application/untested.use-case.ts')).toBe(false);
});
