import { SigningKey } from './domain.js';

/** The public part of a key. */
export type PublicKey = Pick<SigningKey, 'algorithm' | 'publicKey'>;

/** The TXT record that publishes a key (RFC 6376 section 3.6.1, RFC 8463 section 4). */
export function dkimRecord({ algorithm, publicKey }: PublicKey): string {
  const keyType = algorithm === 'ed25519-sha256' ? 'ed25519' : 'rsa';
  return `v=DKIM1; k=${keyType}; p=${publicKey}`;
}
