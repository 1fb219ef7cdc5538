import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Links built modules and the packages that they use into a few files: docs/decisions/linked-program.md. Returns the files,
 * with their paths. Code stays readable, for the traces of errors.
 *
 * `folder` is where the files will be, `separate` the packages that are not linked, `input` and the names are Rolldown's.
 */
export async function linked({ input, folder, separate, entryFileNames, chunkFileNames, plugins = [] }) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: separate,
    treeshake: false,
    plugins: [{ name: 'own-url', transform: withOwnUrl }, ...plugins],
    onLog: (level, log, report) => {
      // Packages of Nest load others, which an installation may have, inside a try.
      if (log.code !== 'UNRESOLVED_IMPORT' || !log.id?.includes('node_modules')) report(level, log);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', comments: false, entryFileNames, chunkFileNames });
  await bundle.close();
  return output.map(({ fileName, code, isEntry, imports }) => {
    const path = join(folder, fileName);
    return { path, isEntry, imports, code: inOneByte(withPlaces(code, path)) };
  });
}

/** A module's own URL stays that of the file it was, where its SQL, its thread and its packages are found. Rolldown's own are no files. */
function withOwnUrl(code, id) {
  if (id.startsWith('\0') || !code.includes('import.meta.')) return undefined;
  const urlOf = (path) => `new URL(${JSON.stringify(`own:${relative('.', path)}`)}, import.meta.url)`;
  return code
    .replaceAll('import.meta.url', `${urlOf(id)}.href`)
    .replaceAll('import.meta.dirname', `decodeURIComponent(${urlOf(dirname(id))}.pathname)`);
}

/** The way from the linked file to the files that its modules were. */
function withPlaces(code, path) {
  return code.replaceAll(/"own:([^"]+)"/g, (_, own) => JSON.stringify(relative(dirname(path), own)));
}

/** V8 keeps a source with any character beyond Latin-1 in two bytes a character. */
function inOneByte(code) {
  return code.replaceAll(/[^\0-\xFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
