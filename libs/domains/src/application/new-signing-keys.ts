import { newId } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DkimAlgorithm, DkimKeyInfo, Domain, NewSigningKey } from '../domain/domain.js';
import { selectorOf } from '../domain/expected-record.js';
import { DkimKeyGenerator } from './ports/dkim-key-generator.port.js';

/** Generates the key pairs of one generation of a domain. */
@Injectable()
export class NewSigningKeys {
  constructor(private readonly generator: DkimKeyGenerator) {}

  async generate(domain: Domain, algorithm: DkimAlgorithm, signing: boolean, now: Date): Promise<NewSigningKey> {
    return {
      id: newId(now.getTime()),
      domainId: domain.id,
      domainName: domain.name,
      selector: selectorOf(domain.dkimPublication, domain.dkimGeneration, algorithm),
      algorithm,
      createdAt: now,
      signing,
      ...(await this.generator.generate(algorithm)),
    };
  }
}

export function publicSideOf(key: NewSigningKey): DkimKeyInfo {
  const { id, domainId, selector, algorithm, publicKey, createdAt, signing } = key;
  const state = signing ? 'signing' : 'published';
  return { id, domainId, selector, algorithm, publicKey, state, retiredAt: null, createdAt };
}
