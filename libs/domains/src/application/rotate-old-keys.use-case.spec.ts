import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { RotateOldKeys } from './rotate-old-keys.use-case.js';

const dayMs = 86_400_000;
let rig: InMemoryDomains;

beforeEach(() => {
  rig = new InMemoryDomains();
});

async function rotateOld(id: string, dkimRotationDays: number): Promise<void> {
  await new RotateOldKeys(dkimRotationDays, rig.domains, rig.change, rig.clock).rotateAmong([await rig.read(id)]);
}

it('keys of a verified domain with delegated DKIM are rotated when they are old', async () => {
  const { id } = await rig.createVerified({ dkimPublication: 'cname' });
  rig.clock.advance(90 * dayMs - 1);
  await rotateOld(id, 90);
  expect(await rig.keyStates(id)).toEqual(['signing']);
  rig.clock.advance(1);
  await rotateOld(id, 90);
  expect(await rig.keyStates(id)).toEqual(['signing', 'published']);
});

it('keys that a customer publishes by hand, and those of a domain that is not verified, are left alone', async () => {
  const byHand = await rig.createVerified({ name: 'hand.test' });
  const unverified = await rig.create({ name: 'unverified.test', dkimPublication: 'cname' });
  rig.clock.advance(365 * dayMs);
  for (const { id } of [byHand, unverified]) {
    await rotateOld(id, 90);
    expect(await rig.keyStates(id)).toEqual(['signing']);
  }
});

it('nothing is rotated where the operator wants none of it', async () => {
  const { id } = await rig.createVerified({ dkimPublication: 'cname' });
  rig.clock.advance(365 * dayMs);
  await rotateOld(id, 0);
  expect(await rig.keyStates(id)).toEqual(['signing']);
});

it('waits where the selector of the next key is still taken', async () => {
  const { id } = await rig.createVerified({ dkimPublication: 'cname' });
  await rig.change.rotateKeys(rig.teamId, id);
  await rig.publish(id);
  rig.clock.advance(2 * dayMs);
  await rig.checks.check(id);
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
  await rotateOld(id, 1);
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
});
