import { expect, it } from '@jest/globals';
import { OwnedDomains } from '#domains';
import { newId } from '#kernel';
import { InMemoryDomains } from '../../../../test/support/fakes/in-memory-domains.js';
import { InMemoryInboxes } from '../../../../test/support/fakes/in-memory-inbox-repository.js';
import { newReceivingAddress } from '../domain/inbox-fields.js';
import { Inbox } from '../domain/inbox.js';
import { InboxAddresses, ReceivingAddresses } from './receiving-addresses.query.js';

it('finds the inbox of a receiving address, and looks for nothing else', async () => {
  const [rig, stored] = [new InMemoryDomains(), new InMemoryInboxes()];
  const addresses = new ReceivingAddresses(stored, new OwnedDomains(rig.domains), rig.names);
  const { id: domainId, teamId, name } = await rig.create();
  const address = `help@${name}`;
  const receivingAddress = newReceivingAddress('mail.service.test');
  // The domain was added again since.
  stored.inboxes.set({ id: newId(), teamId, domainId: newId(), address, receivingAddress } as unknown as Inbox);

  expect(await addresses.find(receivingAddress.toUpperCase())).toMatchObject({ teamId, domainId });
  const unknown = newReceivingAddress('mail.service.test');
  expect(await addresses.find(unknown)).toBeUndefined();
  for (const other of [
    'postmaster@mail.service.test',
    'inbox-1@mail.service.test',
    receivingAddress.replace('@', '0@'),
    receivingAddress.replace('mail.service', 'other'),
  ])
    expect(await addresses.find(other)).toBeUndefined();
  expect(stored.sought).toEqual([receivingAddress, unknown]);
});

it('an inbox whose domain the team has no more takes nothing', async () => {
  const [rig, stored] = [new InMemoryDomains(), new InMemoryInboxes()];
  const addresses = new ReceivingAddresses(stored, new OwnedDomains(rig.domains), rig.names);
  const { name } = await rig.create({}, newId());
  const address = `help@${name}`;
  const receivingAddress = newReceivingAddress('mail.service.test');
  stored.inboxes.set({ id: newId(), teamId: rig.teamId, address, receivingAddress } as unknown as Inbox);
  expect(await addresses.find(receivingAddress)).toBeUndefined();
});

it('an address is that of an inbox in any case and with any tag, in its own team', async () => {
  const stored = new InMemoryInboxes();
  const teamId = newId();
  for (const address of ['support@acme.test', 'a+b@acme.test'])
    stored.inboxes.set({ id: newId(), teamId, address } as unknown as Inbox);
  const addresses = new InboxAddresses(stored);
  for (const address of ['support@acme.test', 'Support+Orders+2@acme.test', 'A+B@acme.test'])
    expect(await addresses.has(teamId, address)).toBe(true);
  for (const address of ['a@acme.test', 'a+c@acme.test', '+support@acme.test', 'support@acme.test.test'])
    expect(await addresses.has(teamId, address)).toBe(false);
  expect(await addresses.has(newId(), 'support@acme.test')).toBe(false);
});
