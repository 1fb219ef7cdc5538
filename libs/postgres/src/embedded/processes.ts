import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.js';

/**
 * Identifies a process together with its pid: a later process with the same pid has another value. Undefined if no such
 * process runs. A zombie counts as not running, because in a container its parent may never collect it.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? processStartFromProc(pid) : processStartFromPs(pid);
}

async function processStartFromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field, the name, is in parentheses and may contain blanks and parentheses (proc(5)).
  const fromThirdField = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fromThirdField[0] === 'Z' || fromThirdField[0] === 'X') return undefined;
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${bootId.trim()}:${fromThirdField[22 - 3]}`;
}

async function processStartFromPs(pid: number): Promise<string | undefined> {
  const { code, output } = await runCommand({ file: 'ps', args: ['-o', 'stat=', '-o', 'lstart=', '-p', `${pid}`] });
  const [state = ''] = output.split(/\s/, 1);
  const started = output.slice(state.length).trim();
  return code !== 0 || started === '' || state === '' || state.startsWith('Z') ? undefined : started;
}

/** Waits for a process that is not our child. True if it ended within the time. */
export async function endsWithin(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while ((await processStart(pid)) !== undefined) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/** The file that PostgreSQL writes into its data directory while it runs (miscadmin.h, LOCK_FILE_LINE_*). */
interface PostmasterPidFile {
  readonly pid: number;
  /** `starting` (also during crash recovery), `ready` or `stopping`. Empty at first. */
  readonly status: string;
}

export async function readPostmasterPidFile(clusterDir: string): Promise<PostmasterPidFile | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  // The pid is negative when PostgreSQL runs in single-user mode.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  return Number.isNaN(pid) ? undefined : { pid, status: (lines[7] ?? '').trim() };
}
