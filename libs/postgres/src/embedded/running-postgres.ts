import { access, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { socketDirectory, socketFile, urlOverSocket } from './endpoint.js';

/** The URL of the server that another process runs on this data directory. Undefined if its socket is not in it. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const root = resolve(dataDir);
  const directory = socketDirectory(root);
  try {
    await access(join(directory, socketFile));
    const password = (await readFile(join(root, 'postgres-password'), 'utf8')).trim();
    return urlOverSocket(directory, 'postrider', password);
  } catch {
    return undefined;
  }
}
