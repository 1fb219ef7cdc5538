import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file that PostgreSQL writes into its data directory while it runs (miscadmin.h, LOCK_FILE_LINE_*). */
export interface PostmasterPidFile {
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
