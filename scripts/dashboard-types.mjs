import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Writes the types of the API for the dashboard, from `docs/openapi.json`. The file is not in the repository. */
const source = 'docs/openapi.json';
const target = 'apps/dashboard/src/api/schema.gen.ts';

if (!existsSync(target) || statSync(target).mtimeMs < statSync(source).mtimeMs) {
  const resolve = createRequire(new URL('../apps/dashboard/package.json', import.meta.url)).resolve;
  const module = await import(resolve('openapi-typescript'));
  const openapi = module.default.default ?? module.default;
  const text = module.astToString(await openapi(JSON.parse(readFileSync(source, 'utf8'))));
  // Type check and lint may run side by side, and neither may read half a file.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, `/* eslint-disable */\n${text}`);
  renameSync(unfinished, target);
}
