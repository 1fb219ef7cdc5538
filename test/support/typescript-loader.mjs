import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const jestGlobals = new URL('./jest/globals.mjs', import.meta.url).href;

/** Lets plain Node run this repository's TypeScript, for code outside Jest's own module system. See `run-typescript.mjs`. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: jestGlobals, shortCircuit: true };
  if (specifier.startsWith('#')) {
    return nextResolve(specifier, { ...context, conditions: ['source', ...context.conditions] });
  }
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
