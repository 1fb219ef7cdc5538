import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';

/**
 * Builds the dashboard into `dist/apps/dashboard/web`, and does nothing where it is built already: the stamp beside it
 * is the hash of everything that goes in. An installation without Vite (`npm ci --omit=dev`) keeps what was built
 * before.
 */
const folder = 'apps/dashboard';
const out = 'dist/apps/dashboard/web';
const stampFile = 'dist/apps/dashboard/stamp';
const mode = process.env.DASHBOARD_MODE ?? 'production';

const hash = createHash('sha256').update(mode).update(process.version.split('.')[0]);
const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter(
    (entry) =>
      entry.isFile() && !entry.parentPath.includes('node_modules') && !/\.(spec|gen)\.ts$|\.md$/.test(entry.name),
  )
  .map((entry) => join(entry.parentPath, entry.name));
for (const name of [...names.sort(), 'package-lock.json', 'docs/openapi.json'])
  hash.update(name).update(readFileSync(name));
const stamp = hash.digest('hex');

const isBuilt =
  existsSync(join(out, 'index.html')) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
if (!isBuilt) {
  const vite = viteOrUndefined();
  if (vite === undefined) {
    if (!existsSync(join(out, 'index.html')))
      console.error('The dashboard is not built: development packages are missing');
    process.exit(0);
  }
  await import('./dashboard-types.mjs');
  process.env.NODE_ENV = mode;
  const { build } = await import(vite);
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), mode, logLevel: 'warn' });
  writeFileSync(stampFile, stamp);
}

function viteOrUndefined() {
  try {
    return createRequire(join(process.cwd(), folder, 'package.json')).resolve('vite');
  } catch {
    return undefined;
  }
}
