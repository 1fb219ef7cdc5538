import { expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/in-memory-domains.js';
import { PublishedKeys } from './published-keys.query.js';

it('tells the record of each key of our domains, also of one that signs no more', async () => {
  const rig = new InMemoryDomains();
  const keys = new PublishedKeys(rig.domains);
  const { id } = await rig.createVerified();
  await rig.rotateKeys.execute(rig.teamId, id);
  await rig.publish(id);
  await rig.checkDomain.execute(id);
  expect(await rig.keyStates(id)).toEqual(['retired', 'signing']);
  for (const selector of ['postrider', 'postrider2']) {
    expect(await keys.dkimRecord(selector, 'ACME.test')).toMatch(/^v=DKIM1; k=rsa; p=MII/);
  }
  expect(await keys.dkimRecord('postrider-ed25519', 'acme.test')).toMatch(/^v=DKIM1; k=ed25519; p=/);
});

it('tells nothing of keys that are not ours', async () => {
  const rig = new InMemoryDomains();
  const keys = new PublishedKeys(rig.domains);
  await rig.create();
  expect(await keys.dkimRecord('other', 'acme.test')).toBeUndefined();
  expect(await keys.dkimRecord('postrider', 'other.test')).toBeUndefined();
});
