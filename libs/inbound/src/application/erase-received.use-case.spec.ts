import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryReceivedEmails } from '../../../../test/support/in-memory-receiving.js';
import { EraseReceived } from './erase-received.use-case.js';

const teamId = newId();

it('the mail of one address is erased, whatever its case, in batches, and then the address in the mail of others', async () => {
  const emails = new InMemoryReceivedEmails();
  for (let count = 0; count < 501; count++) emails.add(teamId);
  emails.add(teamId, { from: 'someone@b.test', to: ['Ada@b.test', 'x@acme.test'], recipients: ['x@acme.test'] });
  emails.add(teamId, { from: 'someone@b.test', to: ['ada@B.test'], recipients: ['ada@b.test'] });
  emails.add(newId(), { from: 'someone@b.test', to: ['ada@b.test'], recipients: ['ada@b.test'] });
  const erase = new EraseReceived(emails);
  const counts: number[] = [];
  for (let next: string | undefined, done = false; !done;) {
    const portion = await erase.execute(teamId, 'ADA@b.test', next);
    counts.push(portion.erased);
    next = portion.next;
    done = next === undefined;
  }
  expect(counts).toEqual([500, 1, 2]);
  expect(emails.emails.map(({ to }) => to)).toEqual([['erased', 'x@acme.test'], ['ada@b.test']]);
});
