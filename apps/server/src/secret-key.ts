import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sealedKeySamples } from '#domains';
import { Config } from '#platform/config';
import { clientFor, limitedConnection, ordinaryLimits } from '#postgres/database';
import { SecretBox } from '#platform/secrets';

/** The private keys in the database cannot be decrypted. The message is a sentence for the operator. */
export class MissingSecretKeyError extends Error {}

/**
 * The configured secret, or the one that the first start wrote into DATA_DIR. Without it, no encrypted private key can be
 * read. A new one is therefore created only if nothing is encrypted yet. Throws MissingSecretKeyError if the secret is
 * missing or is not the one that encrypted the keys.
 */
export async function secretKeyOf(config: Config, databaseUrl: string): Promise<string> {
  const { secretKey, secretKeyPrevious, dataDir } = config.values;
  const path = join(dataDir, 'secret.key');
  const known = secretKey ?? (await read(path));
  const sealed = await someSealedKeys(databaseUrl);
  if (known !== undefined) {
    const box = new SecretBox(known, secretKeyPrevious);
    if (sealed.every((bytes) => box.canOpen(bytes))) return known;
    throw new MissingSecretKeyError(
      `${secretKey === undefined ? path : 'SECRET_KEY'} is not the secret that encrypted the private keys in this ` +
        'database. Restore the one that belongs to it, or give that one in SECRET_KEY_PREVIOUS.',
    );
  }
  if (sealed.length === 0) return create(path);
  throw new MissingSecretKeyError(
    `${path} is missing, and the private keys in this database are encrypted with it. Restore it from the backup, or ` +
      'set SECRET_KEY to its content.',
  );
}

async function read(path: string): Promise<string | undefined> {
  const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return existing?.trim();
}

async function someSealedKeys(databaseUrl: string): Promise<readonly Buffer[]> {
  const client = clientFor(databaseUrl, limitedConnection(ordinaryLimits));
  // Without a listener, losing the connection would end the process. Queries on a lost connection fail anyway.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await sealedKeySamples(client);
  } finally {
    await client.end();
  }
}

/**
 * Gives the file its name only when it is complete and flushed: data encrypted with a half-written secret would be
 * lost.
 */
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
