import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ProviderTrouble } from '../../domain/provider-report.js';

const maxKeyBytes = 64 * 1024;
const lifeSeconds = 3_600;

export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Reads the JSON key that Google gives out for a service account. Throws ProviderTrouble, which never has a part of the key. */
export async function readServiceAccount(path: string): Promise<ServiceAccount> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ProviderTrouble(`POSTMASTER_TOOLS_KEY_FILE cannot be read (${error.code ?? 'unknown error'})`);
  });
  try {
    if (text.length > maxKeyBytes) throw new Error('too large');
    const {
      client_email: email,
      private_key: pem,
      private_key_id: keyId = '',
    } = JSON.parse(text) as Record<string, unknown>;
    if (typeof email !== 'string' || typeof pem !== 'string' || typeof keyId !== 'string') throw new Error('not a key');
    if (!/^[\w.+@-]{3,320}$/.test(email)) throw new Error('not an address');
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'rsa') throw new Error('not RSA');
    return { email, keyId, key };
  } catch {
    throw new ProviderTrouble('POSTMASTER_TOOLS_KEY_FILE is not the JSON key of a service account of Google');
  }
}

/** The assertion of a grant (RFC 7523): a signed JWT that is exchanged for a token. */
export function assertionOf(
  { email, keyId, key }: ServiceAccount,
  grant: { readonly scope: string; readonly audience: string; readonly now: Date },
): string {
  const issued = Math.floor(grant.now.getTime() / 1_000);
  const claims = { iss: email, scope: grant.scope, aud: grant.audience, iat: issued, exp: issued + lifeSeconds };
  const signed = [{ alg: 'RS256', typ: 'JWT', kid: keyId }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}
