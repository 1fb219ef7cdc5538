import { describe, expect, it } from '@jest/globals';
import { addressesIn, answerRecipients, bareAddress, isWholeAddress, nameIn } from './mail-addresses.js';

describe('addresses as people write them', () => {
  it('are separated by commas and semicolons, but not inside of quotes', () => {
    expect(addressesIn('"Support, Acme" <a@acme.test>, Ada <ada@harbour.test>; bob@grey.test,')).toEqual([
      '"Support, Acme" <a@acme.test>',
      'Ada <ada@harbour.test>',
      'bob@grey.test',
    ]);
    expect(addressesIn('  ')).toEqual([]);
  });

  it.each([
    ['"Support, Acme" <a@acme.test>', 'Support, Acme', 'a@acme.test'],
    ['Ada <ada@harbour.test>', 'Ada', 'ada@harbour.test'],
    ['bob@grey.test', 'bob@grey.test', 'bob@grey.test'],
    ['<bob@grey.test>', 'bob@grey.test', 'bob@grey.test'],
  ])('%s has a name and an address', (text, name, address) => {
    expect([nameIn(text), bareAddress(text)]).toEqual([name, address]);
  });

  it.each([
    ['ada@harbour.test', true],
    ['Ada <ada@harbour.test>', true],
    ['ada@harbour', false],
    ['ada@harbour.', false],
    ['ada', false],
  ])('%s is whole: %s', (text, isWhole) => {
    expect(isWholeAddress(text)).toBe(isWhole);
  });
});

describe('who gets an answer', () => {
  const email = {
    direction: 'inbound' as const,
    from: 'Ada <ada@harbour.test>',
    to: ['Support <Support@acme.test>', 'bob@grey.test'],
    cc: ['ADA@harbour.test', 'eve@meadow.test', 'bob@grey.test'],
    reply_to: [],
  };

  it('is the author, or the address that the email names', () => {
    expect(answerRecipients(email, 'support@acme.test', false)).toEqual({ to: [email.from], cc: [] });
    const named = { ...email, reply_to: ['desk@harbour.test'] };
    expect(answerRecipients(named, 'support@acme.test', false).to).toEqual(['desk@harbour.test']);
  });

  it('is everybody else once, and never the inbox itself', () => {
    expect(answerRecipients(email, 'support@acme.test', true)).toEqual({
      to: [email.from],
      cc: ['bob@grey.test', 'eve@meadow.test'],
    });
  });

  it('is who got the email that was sent', () => {
    const sent = { ...email, direction: 'outbound' as const, to: ['ada@harbour.test'], cc: ['eve@meadow.test'] };
    expect(answerRecipients(sent, 'support@acme.test', true)).toEqual({
      to: ['ada@harbour.test'],
      cc: ['eve@meadow.test'],
    });
  });
});
