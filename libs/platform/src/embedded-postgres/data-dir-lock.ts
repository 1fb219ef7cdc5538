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
 * Takes the data directory for this process, or throws `DataDirInUseError`. A lock whose process ended, however it
 * ended, is taken over; a new process that happens to have the old pid is told apart by its start time.
 *
 * The lock is a chain of files `lock/<number>`; the highest one counts. Only `link` creates one, so of two who find
 * number 7 abandoned exactly one creates 8. A number is deleted only by whoever holds a higher one, so whoever creates
 * a number that was there before finds the higher one when looking again, and gives way. Deleting and recreating a
 * single file has no such proof: the second starter deletes the first one's fresh lock.
 *
 * Processes in different pid namespaces (two containers on one volume) cannot see each other; this lock cannot help.
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

/** An empty file says that nobody holds it; the number stays taken. */
async function release(directory: string, number: number): Promise<void> {
  const empty = await writeClaim(directory);
  await rename(empty, join(directory, `${number}`));
}

/** Written elsewhere first: a lock file is never seen half written. */
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
