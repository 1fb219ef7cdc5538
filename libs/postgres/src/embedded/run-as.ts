import { chown, lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { Command, runCommand } from './run-command.js';

/** The user of PostgreSQL. It refuses to run as root, so a program that runs as root starts it as another user. */
export interface RunAs {
  command(file: string, args: readonly string[]): Command;
  /** Makes PostgreSQL's user the owner of a directory and everything in it. */
  own(path: string): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

const INSTEAD = 'Start Postrider as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.';

/**
 * @param clusterDir the owner of an existing directory is kept, so that the program can be started by that user and by
 * root.
 */
export async function chooseRunAs(binaries: PostgresBinaries, dataDir: string, clusterDir: string): Promise<RunAs> {
  const owner = await stat(clusterDir).catch(() => undefined);
  const self = process.getuid?.();
  if (self !== 0) {
    if (owner !== undefined && owner.uid !== self) {
      throw new EmbeddedPostgresError(
        `${clusterDir} belongs to uid ${owner.uid}: start Postrider as that user or root.`,
      );
    }
    return { command: (file, args) => ({ file, args }), own: async () => {} };
  }
  const user = owner !== undefined && owner.uid !== 0 ? owner : await systemUser();
  const own = (path: string): Promise<void> => ownAll(path, user);

  const plain: RunAs = { command: (file, args) => ({ file, args, uid: user.uid, gid: user.gid }), own };
  if ((await reach(plain, binaries, dataDir)).code === 0) return plain;

  const readingAll: RunAs = { command: (file, args) => readingAllDirectories(user, file, args), own };
  const { code, output } = await reach(readingAll, binaries, dataDir);
  if (code === 0) return readingAll;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and uid ${user.uid} may not enter ${dataDir} or run ${binaries.postgres}. ` +
      `Put both below directories that everyone may traverse. ${INSTEAD} (${output})`,
  );
}

/**
 * Tries to enter the directory and run PostgreSQL, because permission bits do not show ACLs, capabilities and mount
 * options.
 */
function reach(runAs: RunAs, { postgres }: PostgresBinaries, dataDir: string): ReturnType<typeof runCommand> {
  return runCommand(runAs.command('/bin/sh', ['-c', 'cd -P "$1" && exec "$2" --version', 'sh', dataDir, postgres]));
}

/**
 * For an installation below /root or another directory with mode 700: the other user gets only the capability to read
 * and traverse every directory.
 *
 * `no_setuid_fixup` is needed because PostgreSQL checks its own executable with access(2). Without that bit, access(2)
 * ignores the capabilities of every user except root: 'invalid binary "...": Permission denied'.
 */
function readingAllDirectories(user: User, file: string, args: readonly string[]): Command {
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const capability = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return { file: 'setpriv', args: [...identity, ...capability, '--securebits=+no_setuid_fixup', '--', file, ...args] };
}

async function systemUser(): Promise<User> {
  const existing = (await lookUp('postgres')) ?? (await lookUp('postrider'));
  if (existing !== undefined) return existing;
  const { output } = await runCommand({
    file: 'useradd',
    args: ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postrider'],
  });
  const created = await lookUp('postrider');
  if (created !== undefined) return created;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the system user it would run as cannot be created (${output}). ${INSTEAD}`,
  );
}

async function lookUp(name: string): Promise<User | undefined> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runCommand({ file: 'id', args: [flag, name] })));
  return uid?.code === 0 && gid?.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

/** Changes the owner of `path` last, so that an interrupted change is detected there and repeated. */
async function ownAll(path: string, user: User): Promise<void> {
  if ((await stat(path)).uid === user.uid) return;
  for (const entry of await readdir(path, { recursive: true })) await lchown(join(path, entry), user.uid, user.gid);
  await chown(path, user.uid, user.gid);
}
