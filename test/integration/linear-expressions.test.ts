import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { ESLint, Linter } from 'eslint';

/** The rules of `npm run lint` for regular expressions that the pattern breaks. */
async function rulesBrokenBy(pattern: string): Promise<string[]> {
  const { linearExpressions } = (await import(resolve('eslint.config.mjs'))) as { linearExpressions: Linter.Config };
  // These expressions stand nowhere in the code: what is found about them is not kept with it.
  const rules: Linter.RulesRecord = {
    ...linearExpressions.rules,
    'redos/no-vulnerable': ['error', { timeout: 2_000 }],
  };
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: [{ ...linearExpressions, rules }] });
  const [result] = await eslint.lintText(`export const pattern = ${pattern};\n`);
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
}

it.each([
  ['exponential', '/^(?:[^/\\s]+(?::[^/\\s]*)*)$/'],
  ['exponential', '/^(?:a|a)*$/'],
  ['quadratic after its beginning', '/^([a-z]+):[ \\t]*(.*?)[ \\t]*$/'],
  ['quadratic at its end', '/=+$/'],
  ['quadratic because it begins anywhere', '/deferred for.*first time/i'],
])('the linter finds an expression that is %s: %s', async (_, pattern) => {
  expect(await rulesBrokenBy(pattern)).not.toEqual([]);
});

it.each(['/^[a-z]+: .*$/', '/[45]\\d\\d .*/', '/user.{0,30}unknown/i', '/[\\r\\n]/g'])(
  'the linter accepts a linear expression: %s',
  async (pattern) => {
    expect(await rulesBrokenBy(pattern)).toEqual([]);
  },
);
