import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { DATABASE_USER } from './endpoint.js';
import { runCommand } from './run-command.js';
import { RunAs } from './run-as.js';

const INCOMPLETE = 'postgres.incomplete-';

/** The directory of PostgreSQL's files. It exists only when it is complete. */
export function clusterDirectory(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * Creates PostgreSQL's files at the first start, and returns the password of its user.
 *
 * The files are created under another name and moved when they are complete. So an interrupted start leaves no incomplete
 * database, and the next start creates the files again.
 */
export async function ensureCluster(binaries: PostgresBinaries, dataDir: string, runAs: RunAs): Promise<string> {
  const cluster = clusterDirectory(dataDir);
  const passwordFile = join(dataDir, 'postgres-password');
  const known = (await readFile(passwordFile, 'utf8').catch(() => '')).trim();
  if (await exists(cluster)) {
    if (known !== '') return known;
    throw new EmbeddedPostgresError(
      `${passwordFile} is missing: restore it, it belongs to the database in ${cluster}.`,
    );
  }
  const password = known === '' ? randomBytes(24).toString('base64url') : known;
  await writeDurably(passwordFile, password);

  await removeIncomplete(dataDir);
  const staging = await mkdtemp(join(dataDir, INCOMPLETE));
  await writeFile(join(staging, 'password'), password, { mode: 0o600 });
  await runAs.own(staging);
  await initialize(binaries, staging, runAs);
  await rename(join(staging, 'cluster'), cluster);
  await syncDirectory(dataDir);
  await rm(staging, { recursive: true, force: true });
  return password;
}

/**
 * Removes incomplete files of earlier starts. Retries, because the initdb of a killed program may still write for a
 * moment.
 */
async function removeIncomplete(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).filter((name) => name.startsWith(INCOMPLETE));
  await Promise.all(left.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })));
}

async function initialize({ initdb }: PostgresBinaries, staging: string, runAs: RunAs): Promise<void> {
  const { code, output } = await runCommand(
    runAs.command(initdb, [
      '--pgdata',
      join(staging, 'cluster'),
      '--username',
      DATABASE_USER,
      '--pwfile',
      join(staging, 'password'),
      '--auth',
      'scram-sha-256',
      // The builtin provider sorts by code point and supports the upper and lower case of Unicode. An upgrade of the
      // operating system does not change its order, which would break existing indexes.
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--no-instructions',
    ]),
  );
  if (code !== 0) throw new EmbeddedPostgresError(`PostgreSQL could not create its database: ${output}`);
}

/**
 * Writes a file that appears only when it is complete and on disk: without the password, the new database is
 * inaccessible.
 */
async function writeDurably(path: string, text: string): Promise<void> {
  const incomplete = `${path}.incomplete`;
  await rm(incomplete, { force: true });
  const file = await open(incomplete, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(incomplete, path);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
