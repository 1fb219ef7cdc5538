import { expect, it } from '@jest/globals';
import { MailElsewhereError } from '#cells';
import { ValidationError } from '#kernel';
import { AcceptedEmail } from './accepted-email.js';
import { checkBatch } from './batch.js';

const batch = { items: [], permissive: false };
const elsewhere = (name: string, index = 0): { index: number; error: MailElsewhereError } => ({
  index,
  error: new MailElsewhereError({ name, url: `https://${name}.test` }, 'acme.test'),
});
const own = { email: { id: 'a', size: 1 } } as AcceptedEmail;

it.each([false, true])(
  'a batch whose senders are in another cell belongs to that cell (permissive: %s)',
  (permissive) => {
    const faults = [{ index: 0, error: new ValidationError('no') }, elsewhere('eu', 1), elsewhere('eu', 2)];
    expect(() => checkBatch({ ...batch, permissive }, [], faults)).toThrow(MailElsewhereError);
  },
);

it('a batch whose senders are in several cells is refused', () => {
  expect(() => checkBatch(batch, [own], [elsewhere('eu')])).toThrow('one region');
  expect(() => checkBatch(batch, [], [elsewhere('eu'), elsewhere('us')])).toThrow('one region');
});
