import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { DomainOwners } from './domain-owners.query.js';

it('tells the team of a name, and how many domains a team has', async () => {
  const rig = new InMemoryDomains();
  const owners = new DomainOwners(rig.domains);
  const other = newId();
  await rig.create({ name: 'one.test' });
  await rig.create({ name: 'two.test' });
  await rig.create({ name: 'three.test' }, other);
  expect(await owners.teamOf('two.test')).toBe(rig.teamId);
  expect(await owners.teamOf('three.test')).toBe(other);
  expect(await owners.teamOf('sub.two.test')).toBeUndefined();
  expect([await owners.count(rig.teamId), await owners.count(newId())]).toEqual([2, 0]);
});
