import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

export interface Certificate {
  /** PEM of the certificate and its chain. */
  readonly cert: string;
  readonly key: string;
}

/** Reads certificate and key. Throws if they do not match: one file may have been replaced before the other. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  createSecureContext({ cert, key });
  return { cert, key };
}

export function fingerprintOf({ cert, key }: Certificate): string {
  return createHash('sha256').update(cert).update(key).digest('hex');
}
