import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { readPostmasterPidFile } from './postmaster-pid-file.js';
import { ends, processStart } from './processes.js';
import { runCommand } from './run-command.js';

const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * Stops the PostgreSQL that a killed program left running on this directory. The caller holds the data directory.
 *
 * `postmaster.pid` itself is left to PostgreSQL, which also checks that no old session still has the shared memory
 * before it removes the file. It believes a file whose pid is alive, though, whatever that process is; a pid of that
 * kind is returned, to be given to it as PG_GRANDPARENT_PID, the way pg_ctl tells it that a pid is not a server's.
 */
export async function stopOrphan(clusterDir: string, onLog: (line: string) => void): Promise<number | undefined> {
  const left = await readPostmasterPidFile(clusterDir);
  if (left === undefined || (await processStart(left.pid)) === undefined) return undefined;
  if (!(await isPostgresOn(clusterDir, left.pid))) return left.pid;

  onLog(`stopping the PostgreSQL that an earlier run left behind (pid ${left.pid})`);
  for (const [signal, patience] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    send(signal, left.pid);
    if (await ends(left.pid, patience)) return undefined;
  }
  throw new EmbeddedPostgresError(`PostgreSQL (pid ${left.pid}) still runs on ${clusterDir} and does not stop.`);
}

async function isPostgresOn(clusterDir: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (name.trim() !== 'postgres') return false;
    // The server's working directory is its data directory; compared by inode, it may have been reached by another path.
    const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(clusterDir)]);
    return theirs !== undefined && theirs.dev === ours.dev && theirs.ino === ours.ino;
  }
  const { output } = await runCommand({ file: 'ps', args: ['-o', 'command=', '-p', `${pid}`] });
  return basename(output.split(' -', 1)[0] ?? '') === 'postgres' && output.includes(clusterDir);
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
