import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { InMemoryReceivedEmails } from '../../../../test/support/in-memory-receiving.js';
import { EraseReceived } from './erase-received.use-case.js';

const teamId = newId();

it('the mail of one address is erased, whatever its case, in batches', async () => {
  const emails = new InMemoryReceivedEmails();
  for (let count = 0; count < 501; count++) emails.add(teamId);
  emails.add(teamId, { from: 'someone@b.test' });
  const erase = new EraseReceived(emails);
  expect(await erase.execute(teamId, 'ADA@b.test')).toEqual({ erased: 500, hasMore: true });
  expect(await erase.execute(teamId, 'ada@b.test')).toEqual({ erased: 1, hasMore: false });
  expect(emails.emails).toHaveLength(1);
});
