import { expect, it } from '@jest/globals';
import { mailboxOf, senderTrouble, sendersOf, suggestedSenders } from './senders.js';

const sources = {
  defaultFrom: 'Acme News <news@acme.test>',
  inboxes: [
    { email_address: 'support@acme.test', from_name: null, name: 'Acme Support' },
    { email_address: 'old@gone.test', from_name: null, name: null },
  ],
  domains: ['acme.test', 'mail.acme.test'],
  name: 'Acme',
};
const senders = sendersOf(sources);
const suggested = (typed: string) => suggestedSenders(typed, senders, sources);

it('the sender of the team comes first, then those of inboxes whose domain sends, then one for each domain', () => {
  expect(senders).toEqual([
    'Acme News <news@acme.test>',
    'Acme Support <support@acme.test>',
    'Acme <hello@acme.test>',
    'Acme <hello@mail.acme.test>',
  ]);
  expect(suggested('')).toEqual(senders);
  expect(suggested('Acme <hello@acme.test>')).toEqual(senders);
});

it('a local part is offered at each domain, also behind a name and with a beginning of the domain', () => {
  expect(suggested('sales')).toEqual(['Acme <sales@acme.test>', 'Acme <sales@mail.acme.test>']);
  expect(suggested('sales@ma')).toEqual(['Acme <sales@mail.acme.test>']);
  expect(suggested('Ada <ada')).toEqual(['Ada <ada@acme.test>', 'Ada <ada@mail.acme.test>']);
  expect(suggested('Ada <ada@acme.test>')).toEqual([]);
});

it('a name is offered beside each sender', () => {
  expect(suggested('Ada Lovelace')[0]).toBe('Ada Lovelace <news@acme.test>');
  expect(suggested('Ada <')[1]).toBe('Ada <support@acme.test>');
  expect(suggested('support')[0]).toBe('Acme Support <support@acme.test>');
  expect(mailboxOf('Acme, Inc.', 'a@acme.test')).toBe('"Acme, Inc." <a@acme.test>');
});

it.each([
  ['', undefined],
  ['Ada <ada@acme.test>', undefined],
  ['ada@ACME.test', undefined],
  ['Ada', 'address'],
  ['Ada <ada@other.test>', 'domain'],
] as const)('of %j it says %s', (typed, trouble) => {
  expect(senderTrouble(typed, sources.domains)).toBe(trouble);
});
