import { access, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Config } from '#platform/config';
import { CommandError } from '../command-line/command.js';
import { copyTree, entriesOf, flush } from './copy-tree.js';

/** In DATA_DIR, because that may be a volume of its own. */
const incomplete = 'restore.incomplete';

/**
 * Copies a backup to DATA_DIR, which must be missing or empty. The files get their final names only when all of them are
 * copied, so a restore that was interrupted can be repeated.
 */
export async function restoreBackup(config: Config, directory: string): Promise<void> {
  const { dataDir, databaseUrl } = config.values;
  if (databaseUrl !== undefined) {
    throw new CommandError(
      'DATABASE_URL names a PostgreSQL of your own: restore it with its tools, and copy DATA_DIR from where you keep it.',
    );
  }
  const target = resolve(dataDir);
  await access(join(directory, 'postgres', 'PG_VERSION')).catch(() => {
    throw new CommandError(`${directory} is not a backup: it has no database.`);
  });
  const present = (await entriesOf(target)).filter((name) => ![incomplete, 'lost+found'].includes(name));
  if (present.length > 0) {
    throw new CommandError(
      `${target} is not empty. A restore overwrites nothing: move what is there, or set DATA_DIR.`,
    );
  }
  await mkdir(target, { recursive: true, mode: 0o711 });
  const staging = join(target, incomplete);
  await rm(staging, { recursive: true, force: true });
  await copyTree(resolve(directory), staging);
  // The database last: a start that finds it finds all that belongs to it.
  const names = (await readdir(staging)).sort((a, b) => Number(a === 'postgres') - Number(b === 'postgres'));
  for (const name of names) await rename(join(staging, name), join(target, name));
  await rmdir(staging);
  await flush(target);
}
