import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Config } from '#platform/config';
import { CommandError } from '../command-line/command.js';
import { withDatabase } from '../database/with-database.js';
import { copyCluster } from './copy-cluster.js';
import { copyTree, entriesOf, flush } from './copy-tree.js';

const outOfReach = 'The database of the running program cannot be reached from here: stop the program and try again.';

/**
 * Not copied with the directory: the database, which `copyCluster` copies, its socket, and the lock of the running
 * program.
 */
const notCopied = /^(?:postgres|postgres-socket|lock|postgres\.incomplete-.*)$/;

/**
 * Copies DATA_DIR with the embedded PostgreSQL, whether the program runs or not. Everything accepted before the backup
 * began is in it. The copy is itself a data directory on which the program can be started. It gets its final name only
 * when it is complete.
 */
export async function backUp(config: Config, directory: string): Promise<void> {
  const { dataDir, databaseUrl } = config.values;
  if (databaseUrl !== undefined) {
    throw new CommandError(
      'DATABASE_URL names a PostgreSQL of your own: back it up with its tools (pg_dump, pg_basebackup), then keep SECRET_KEY and DATA_DIR with it.',
    );
  }
  const target = resolve(directory);
  if (`${target}/`.startsWith(`${resolve(dataDir)}/`)) throw new CommandError('The backup must lie outside DATA_DIR.');
  if ((await entriesOf(target)).length > 0)
    throw new CommandError(`${target} is not empty: name a new directory for each backup.`);
  await mkdir(dirname(target), { recursive: true });
  const incomplete = join(dirname(target), `.${basename(target)}.incomplete`);
  await rm(incomplete, { recursive: true, force: true });
  await mkdir(incomplete, { mode: 0o700 });
  await withDatabase(config, outOfReach, ({ directUrl }) =>
    copyCluster(directUrl, join(dataDir, 'postgres'), join(incomplete, 'postgres')),
  );
  // Copied after the database, because an email's bytes are written to the directory before the email is in the database.
  await copyTree(dataDir, incomplete, (path) => notCopied.test(path));
  await rename(incomplete, target);
  await flush(dirname(target));
}
