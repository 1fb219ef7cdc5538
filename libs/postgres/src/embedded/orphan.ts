import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { endsWithin, processStart, readPostmasterPidFile } from './processes.js';
import { runCommand } from './run-command.js';

const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * Stops the PostgreSQL that a killed program left running on this directory. The caller holds the lock of the data
 * directory.
 *
 * PostgreSQL itself removes `postmaster.pid`, after checking that no old session still has the shared memory. But it
 * respects a file whose pid belongs to any running process. If that process is not PostgreSQL, its pid is returned. It
 * must be passed as PG_GRANDPARENT_PID, with which pg_ctl tells PostgreSQL that a pid is not that of a server.
 */
export async function stopOrphan(clusterDir: string, onLog: (line: string) => void): Promise<number | undefined> {
  const left = await readPostmasterPidFile(clusterDir);
  if (left === undefined || (await processStart(left.pid)) === undefined) return undefined;
  if (!(await isPostgresOn(clusterDir, left.pid))) return left.pid;

  onLog(`stopping the PostgreSQL that an earlier run left behind (pid ${left.pid})`);
  for (const [signal, timeoutMs] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    send(signal, left.pid);
    if (await endsWithin(left.pid, timeoutMs)) return undefined;
  }
  throw new EmbeddedPostgresError(`PostgreSQL (pid ${left.pid}) still runs on ${clusterDir} and does not stop.`);
}

async function isPostgresOn(clusterDir: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (name.trim() !== 'postgres') return false;
    // The working directory of the server is its data directory. Inodes are compared, because the paths may differ.
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
