import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Writes the types of the API for the dashboard, from `docs/openapi.json`. The file is not in the repository. */
const source = 'docs/openapi.json';
const target = 'apps/dashboard/src/api/schema.gen.ts';
const changedAt = (file) => statSync(file).mtimeMs;

if (!existsSync(target) || changedAt(target) < Math.max(changedAt(source), changedAt(fileURLToPath(import.meta.url)))) {
  const resolve = createRequire(new URL('../apps/dashboard/package.json', import.meta.url)).resolve;
  const module = await import(resolve('openapi-typescript'));
  const openapi = module.default.default ?? module.default;
  const description = JSON.parse(readFileSync(source, 'utf8'));
  const { schema, examples } = description.paths['/webhooks'].post.requestBody.content['application/json'];
  const { events } = description.components.schemas[schema.$ref.split('/').at(-1)].properties;
  const values = {
    webhookEventTypes: events.items.enum,
    proposedEventTypes: examples.outcomes.value.events,
  };
  const constants = Object.entries(values).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;\n`,
  );
  const text = module.astToString(await openapi(description));
  // Type check and lint may run side by side, and neither may read half a file.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, `/* oxlint-disable */\n${constants.join('')}${text}`);
  renameSync(unfinished, target);
}
