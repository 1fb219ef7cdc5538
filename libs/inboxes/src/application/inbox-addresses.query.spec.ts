import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryInboxes } from '../../../../test/support/fakes/in-memory-inbox-repository.js';
import { Inbox } from '../domain/inbox.js';
import { InboxAddresses } from './inbox-addresses.query.js';

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
