import { createPrivateKey, KeyObject } from 'node:crypto';
import { parseDomainName } from '#kernel';

export type SigningAlgorithm = 'rsa-sha256' | 'ed25519-sha256';

/** A parsed private key, and the domain and selector of its public key: `<selector>._domainkey.<domain>`. */
export interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateKey: KeyObject;
}

const selectorPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
/** Verifiers ignore shorter keys (RFC 8301 section 3.2). */
const minModulusBits = 1024;

/**
 * Parses a key once, so that it is not parsed for each signature: reading a PEM takes longer than an Ed25519 signature.
 *
 * @throws Error if no valid signature can be made with the key, domain or selector. The message never contains the key.
 */
export function parseDkimKey(key: {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateKey: string | KeyObject;
}): DkimKey {
  const domain = parseDomainName(key.domain);
  if (domain === undefined) throw new Error('The domain of a DKIM key must be a domain name');
  if (!selectorPattern.test(key.selector) || key.selector.length > 200) {
    throw new Error('The selector of a DKIM key must be made of DNS labels');
  }
  const privateKey = typeof key.privateKey === 'string' ? createPrivateKey(key.privateKey) : key.privateKey;
  const expected = key.algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519';
  if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== expected) {
    throw new Error(`A DKIM key for ${key.algorithm} must be a private ${expected} key`);
  }
  if ((privateKey.asymmetricKeyDetails?.modulusLength ?? minModulusBits) < minModulusBits) {
    throw new Error(`An RSA key for DKIM must have at least ${minModulusBits} bits`);
  }
  return { domain, selector: key.selector, algorithm: key.algorithm, privateKey };
}
