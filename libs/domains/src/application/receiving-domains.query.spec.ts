import { Cells } from '#cells';
import { expect, it } from '@jest/globals';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { ReceivingDomains } from './receiving-domains.query.js';

it('finds no domain that does not receive', async () => {
  const rig = new InMemoryDomains();
  const receiving = new ReceivingDomains(rig.domains, Cells.none);
  await rig.createVerified();
  expect(await receiving.find('acme.test')).toBeUndefined();
  expect(await receiving.find('other.test')).toBeUndefined();
});

it('a domain receives for its team once a record has shown whose it is', async () => {
  const rig = new InMemoryDomains();
  const receiving = new ReceivingDomains(rig.domains, Cells.none);
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

it('mail for a domain of another cell is not received here', async () => {
  const rig = new InMemoryDomains();
  const us = { name: 'us-east-1', url: 'https://us.test' };
  const eu = { name: 'eu-west-1', url: 'https://eu.test' };
  await rig.createVerified({ receiving: true, region: us.name });
  const received = (own: string): unknown =>
    new ReceivingDomains(rig.domains, new Cells(own, [us, eu])).find('acme.test');
  expect(await received(us.name)).toBeDefined();
  expect(await received(eu.name)).toBeUndefined();
});
