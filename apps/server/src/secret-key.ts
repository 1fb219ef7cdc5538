import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '#platform/config';

/** The configured secret, or the one that the first start wrote into DATA_DIR. Lost with it: every sealed private key. */
export async function secretKeyOf(config: Config): Promise<string> {
  if (config.values.secretKey !== undefined) return config.values.secretKey;
  const path = join(config.values.dataDir, 'secret.key');
  const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return existing?.trim() ?? create(path);
}

/** Complete and flushed before it has its name: a half-written secret would make everything sealed with it unreadable. */
async function create(path: string): Promise<string> {
  const secret = randomBytes(32).toString('base64');
  const temporary = `${path}.${process.pid}`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await link(temporary, path);
  await unlink(temporary);
  return secret;
}
