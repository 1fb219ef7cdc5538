import { expect, it } from '@jest/globals';
import { InMemoryDomainRepository } from '../infrastructure/in-memory/in-memory-domain-repository.js';
import { ResealKeys } from './reseal-keys.use-case.js';

/** Keys of which some were sealed with an earlier secret. */
class SealedDomains extends InMemoryDomainRepository {
  outdated = 3;

  override async resealKeys(): Promise<number> {
    const resealed = this.outdated;
    this.outdated = 0;
    return resealed;
  }
}

it('seals what an earlier secret has sealed, and tells how many keys that were', async () => {
  const resealKeys = new ResealKeys(new SealedDomains());
  expect(await resealKeys.execute()).toBe(3);
  expect(await resealKeys.execute()).toBe(0);
});
