import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { OwnedDomains } from './owned-domains.query.js';

it('tells the team of a name, and how many domains a team has', async () => {
  const rig = new InMemoryDomains();
  const owners = new OwnedDomains(rig.domains);
  const other = newId();
  await rig.create({ name: 'one.test' });
  await rig.create({ name: 'two.test' });
  await rig.create({ name: 'three.test' }, other);
  expect(await owners.teamOf('two.test')).toBe(rig.teamId);
  expect(await owners.teamOf('three.test')).toBe(other);
  expect(await owners.teamOf('sub.two.test')).toBeUndefined();
  expect([await owners.count(rig.teamId), await owners.count(newId())]).toEqual([2, 0]);
});

it('a domain is owned by its team, and an unknown one by nobody', async () => {
  const rig = new InMemoryDomains();
  const ownership = new OwnedDomains(rig.domains);
  const { id } = await rig.create();
  expect(await ownership.isOwnedBy(rig.teamId, id)).toBe(true);
  expect(await ownership.isOwnedBy(newId(), id)).toBe(false);
  expect(await ownership.isOwnedBy(rig.teamId, newId())).toBe(false);
});

it('tells the record of each key of our domains, also of one that signs no more', async () => {
  const rig = new InMemoryDomains();
  const keys = new OwnedDomains(rig.domains);
  const { id } = await rig.createVerified();
  await rig.change.rotateKeys(rig.teamId, id);
  await rig.publish(id);
  await rig.checks.check(id);
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
  for (const selector of ['postrider', 'postrider2']) {
    expect(await keys.dkimRecord(selector, 'ACME.test')).toMatch(/^v=DKIM1; k=rsa; p=MII/);
  }
  expect(await keys.dkimRecord('postrider-ed25519', 'acme.test')).toMatch(/^v=DKIM1; k=ed25519; p=/);
});

it('tells nothing of keys that are not ours', async () => {
  const rig = new InMemoryDomains();
  const keys = new OwnedDomains(rig.domains);
  await rig.create();
  expect(await keys.dkimRecord('other', 'acme.test')).toBeUndefined();
  expect(await keys.dkimRecord('postrider', 'other.test')).toBeUndefined();
});

it('a host for bounces leads to its domain, and no other host does', async () => {
  const rig = new InMemoryDomains();
  const { id } = await rig.create();
  await rig.create({ name: 'inbox.test', sending: false, receiving: true });
  await rig.createSandbox('sandbox.test');
  const hosts = new OwnedDomains(rig.domains);
  expect(await hosts.ofReturnPath('send.acme.test')).toMatchObject({ id });
  for (const host of ['acme.test', 'www.acme.test', 'send.inbox.test', 'send.sandbox.test', 'send.unknown.test', '']) {
    expect(await hosts.ofReturnPath(host)).toBeUndefined();
  }
});
