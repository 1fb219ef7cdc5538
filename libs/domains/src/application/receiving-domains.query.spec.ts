import { expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { ReceivingDomains } from './receiving-domains.query.js';

it('finds no domain that does not receive', async () => {
  const rig = new InMemoryDomains();
  const receiving = new ReceivingDomains(rig.domains);
  await rig.createVerified();
  expect(await receiving.find('acme.test')).toBeUndefined();
  expect(await receiving.find('other.test')).toBeUndefined();
});

it('a domain receives for its team once a record has shown whose it is', async () => {
  const rig = new InMemoryDomains();
  const receiving = new ReceivingDomains(rig.domains);
  const { id } = await rig.create({ receiving: true });
  expect(await receiving.find('acme.test')).toMatchObject({ id, isProven: false, isMailHost: false });

  await rig.publish(id);
  await rig.checks.check(id);

  expect(await receiving.find('ACME.test')).toEqual({
    id,
    teamId: rig.teamId,
    name: 'acme.test',
    isProven: true,
    isMailHost: true,
  });
});
