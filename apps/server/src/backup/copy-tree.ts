import type { Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files copied at once, so that their flushes share those of the disk. */
const maxConcurrent = 16;

/**
 * Copies a directory whose files may change and vanish meanwhile, and flushes every file to the disk. `isLeftOut` takes
 * paths relative to the directory. A directory whose files are all left out is still created.
 */
export async function copyTree(
  source: string,
  target: string,
  isLeftOut: (path: string) => boolean = () => false,
  below = '',
): Promise<void> {
  const { mode } = await stat(source);
  await mkdir(target, { recursive: true, mode: mode & 0o777 });
  const entries = await readdir(source, { withFileTypes: true });
  const copy = async (entry: Dirent): Promise<void> => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (isLeftOut(path)) return;
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) await copyTree(from, to, isLeftOut, path).catch(unlessGone);
    else if (entry.isFile()) await copyDurably(from, to).catch(unlessGone);
  };
  for (let at = 0; at < entries.length; at += maxConcurrent)
    await Promise.all(entries.slice(at, at + maxConcurrent).map(copy));
  await flush(target);
}

export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await flush(to);
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The names in a directory; none if it does not exist. */
export function entriesOf(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
