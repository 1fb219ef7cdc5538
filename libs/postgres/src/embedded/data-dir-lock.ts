import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { processStart } from './processes.js';

export interface DataDirLock {
  release(): Promise<void>;
}

export class DataDirInUseError extends Error {
  constructor(
    readonly dataDir: string,
    readonly pid: number,
  ) {
    super(`Another Postrider already runs on the data directory ${dataDir} (pid ${pid}).`);
    this.name = new.target.name;
  }
}

interface Holder {
  readonly pid: number;
  readonly started: string;
}

const held = new Set<string>();

export function holdsDataDir(dataDir: string): boolean {
  return held.has(resolve(dataDir));
}

/**
 * Locks the data directory for this process, or throws `DataDirInUseError`. The lock of a process that has ended is
 * taken over. A new process with the same pid is recognised by its start time.
 *
 * The lock is a series of files `lock/<number>`, of which the highest number is valid. Files are created only with
 * `link`, so when two processes find that the owner of number 7 has ended, exactly one of them creates number 8. Only
 * the holder of a higher number deletes a file. So a process that creates a number a second time finds the higher one
 * when it checks again, and gives up. Deleting and recreating a single file would not be safe: the second process would
 * delete the new lock of the first.
 *
 * Processes in different pid namespaces (two containers on one volume) cannot see each other. The lock does not protect
 * there.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const root = resolve(dataDir);
  const directory = join(root, 'lock');
  await mkdir(root, { recursive: true, mode: 0o711 });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const own = await writeClaim(directory, { pid: process.pid, started: (await processStart(process.pid))! });
  try {
    const number = await climb(root, directory, own);
    held.add(root);
    let released: Promise<void> | undefined;
    return {
      release: () => (released ??= release(directory, number).finally(() => held.delete(root))),
    };
  } finally {
    await unlink(own);
  }
}

async function climb(root: string, directory: string, own: string): Promise<number> {
  for (;;) {
    const last = await lastNumber(directory);
    await refuseWhileHeld(root, directory, last);
    if (!(await created(link(own, join(directory, `${last + 1}`))))) continue;
    const numbers = await numbersIn(directory);
    if (Math.max(...numbers) === last + 1) {
      await Promise.all(numbers.filter((n) => n <= last).map((n) => rm(join(directory, `${n}`), { force: true })));
      return last + 1;
    }
    await rm(join(directory, `${last + 1}`), { force: true });
  }
}

async function refuseWhileHeld(root: string, directory: string, number: number): Promise<void> {
  const text = await readFile(join(directory, `${number}`), 'utf8').catch(() => '');
  const holder = text === '' ? undefined : (JSON.parse(text) as Holder);
  if (holder !== undefined && (await processStart(holder.pid)) === holder.started) {
    throw new DataDirInUseError(root, holder.pid);
  }
}

/** Replaces the file by an empty one, which means that no process holds the lock. The number is not used again. */
async function release(directory: string, number: number): Promise<void> {
  const empty = await writeClaim(directory);
  await rename(empty, join(directory, `${number}`));
}

/** Writes a claim under another name first, so that no process reads an incomplete lock file. */
async function writeClaim(directory: string, holder?: Holder): Promise<string> {
  const file = join(directory, `claim-${process.pid}-${randomBytes(6).toString('hex')}`);
  await writeFile(file, holder === undefined ? '' : JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  return file;
}

async function numbersIn(directory: string): Promise<number[]> {
  return (await readdir(directory)).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function lastNumber(directory: string): Promise<number> {
  return Math.max(0, ...(await numbersIn(directory)));
}

async function created(attempt: Promise<void>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
