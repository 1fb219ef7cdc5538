import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

export interface Certificate {
  /** PEM: the certificate and those that lead to its root. */
  readonly cert: string;
  readonly key: string;
}

/** Reads the pair and makes sure that it is one: a file that is being replaced may not go with the other yet. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  createSecureContext({ cert, key });
  return { cert, key };
}

export function fingerprintOf({ cert, key }: Certificate): string {
  return createHash('sha256').update(cert).update(key).digest('hex');
}
