import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const jestGlobals = new URL('./jest/globals.mjs', import.meta.url).href;
const typescript = /\.ts(\?|$)/;

/** Lets plain Node run this repository's TypeScript, for code outside Jest's own module system. See `run-typescript.mjs`. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: jestGlobals, shortCircuit: true };
  const found = await nextResolve(...translated(specifier, context));
  // What is imported with `?own=…` imports modules of this repository of its own too.
  const own = /\?own=.*/.exec(context.parentURL ?? '')?.[0];
  return own !== undefined && found.url.endsWith('.ts') ? { ...found, url: found.url + own } : found;
}

function translated(specifier, context) {
  if (specifier.startsWith('#')) return [specifier, { ...context, conditions: ['source', ...context.conditions] }];
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && typescript.test(context.parentURL ?? '')) {
    return [specifier.replace(/\.js$/, '.ts'), context];
  }
  return [specifier, context];
}

export async function load(url, context, nextLoad) {
  if (!typescript.test(url)) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
