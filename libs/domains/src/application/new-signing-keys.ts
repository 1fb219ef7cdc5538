import { generateKeyPair, KeyObject } from 'node:crypto';
import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DkimAlgorithm, DkimKeyInfo, Domain, NewSigningKey } from '../domain/domain.js';
import { selectorOf } from '../domain/expected-record.js';

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Generates the key pairs of one generation of a domain: RSA with 2048 bits (RFC 8301) or Ed25519 (RFC 8463). */
@Injectable()
export class NewSigningKeys {
  async generate(domain: Domain, algorithm: DkimAlgorithm, signing: boolean, now: Date): Promise<NewSigningKey> {
    const { publicKey, privateKey } = await this.pair(algorithm);
    return {
      id: newId(now.getTime()),
      domainId: domain.id,
      domainName: domain.name,
      selector: selectorOf(domain.dkimPublication, domain.dkimGeneration, algorithm),
      algorithm,
      createdAt: now,
      signing,
      publicKey,
      privateKey,
    };
  }

  protected pair(algorithm: DkimAlgorithm): Promise<KeyPair> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject): void =>
        error === null ? resolve(encoded(algorithm, publicKey, privateKey)) : reject(error);
      if (algorithm === 'rsa-sha256') generateKeyPair('rsa', { modulusLength: 2048 }, done);
      else generateKeyPair('ed25519', {}, done);
    });
  }
}

function encoded(algorithm: DkimAlgorithm, publicKey: KeyObject, privateKey: KeyObject): KeyPair {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  // RFC 8463 section 4 publishes the raw 32 bytes of an Ed25519 key, which are the last ones of the SubjectPublicKeyInfo.
  const published = algorithm === 'rsa-sha256' ? der : der.subarray(-32);
  return {
    publicKey: published.toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

export function publicSideOf(key: NewSigningKey): DkimKeyInfo {
  const { id, domainId, selector, algorithm, publicKey, createdAt, signing } = key;
  const state = signing ? 'signing' : 'published';
  return { id, domainId, selector, algorithm, publicKey, state, retiredAt: null, createdAt };
}
