import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { KnownDomainOwnership } from './known-domain-ownership.js';

it('a domain is owned by its team, and an unknown one by nobody', async () => {
  const rig = new InMemoryDomains();
  const ownership = new KnownDomainOwnership(rig.domains);
  const { id } = await rig.create();
  expect(await ownership.isOwnedBy(rig.teamId, id)).toBe(true);
  expect(await ownership.isOwnedBy(newId(), id)).toBe(false);
  expect(await ownership.isOwnedBy(rig.teamId, newId())).toBe(false);
});
