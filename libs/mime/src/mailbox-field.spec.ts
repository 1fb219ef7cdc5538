import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressParser } from 'postal-mime';
import { readMailbox, readMailboxes } from './mailbox-field.js';

const own = 'a@own.test';

describe('the mailbox of a From field', () => {
  it.each([
    [own, undefined],
    [`<${own}>`, undefined],
    ['<A.b+c@OWN.test>', undefined, 'A.b+c@own.test'],
    [`Ann ${own}`.replace(' ', ' <') + '>', 'Ann'],
    [`Ann Smith<${own}>`, 'Ann Smith'],
    [`J. R. Smith <${own}>`, 'J. R. Smith'],
    [`Acme [Support] <${own}>`, 'Acme [Support]'],
    [`O'Neill & Co <${own}>`, "O'Neill & Co"],
    [`"Acme, Inc." <${own}>`, 'Acme, Inc.'],
    [`"He said \\"hi\\"" <${own}>`, 'He said "hi"'],
    [`"ceo@bank.test" <${own}>`, 'ceo@bank.test'],
    [`"Acme: Support" <\t${own} >`, 'Acme: Support'],
    [`${own} <${own}>`, own],
    [`"" <${own}>`, undefined],
    [`=?UTF-8?Q?J=C3=BCrgen?= =?UTF-8?Q?_M=C3=BCller?= <${own}>`, 'Jürgen Müller'],
    [`=?UTF-8?B?Y2VvQGJhbmsudGVzdA==?= <${own}>`, 'ceo@bank.test'],
    [`Jürgen Müller <${own}>`, 'Jürgen Müller'],
    [`株式会社 <${own}>`, '株式会社'],
    [`${own} (Ann Smith)`, 'Ann Smith'],
    [`Ann (Sales) <${own}>`, 'Ann'],
    [`<${own}> (Ann)`, undefined],
    ['jürgen@own.test', undefined, 'jürgen@own.test'],
    ['"a b"@own.test', undefined, '"a b"@own.test'],
  ])('is read from %j', (value, name, address = own) => {
    expect(readMailbox(value)).toMatchObject({ address, ...(name === undefined ? {} : { name }) });
    expect(readMailbox(value)?.name).toBe(name);
  });

  it.each([
    // Some readers show the other address of these four.
    `<${own}> <ceo@bank.test>`,
    `${own}\tceo@bank.test`,
    `ceo@bank.test <${own}>,`,
    `ceo@bank.test\0<${own}>`,
    // Lists, empty elements, groups and routes.
    `${own}, ceo@bank.test`,
    `${own},`,
    `,${own}`,
    `${own};`,
    `Team: ${own};`,
    `Team: ${own}, ceo@bank.test;`,
    `<@bank.test:${own}>`,
    `<ceo@bank.test,${own}>`,
    // Addresses in unquoted names, in comments and nested in each other.
    `ceo@bank.test <${own}>`,
    `ceo @ bank.test <${own}>`,
    `Ann ceo@bank.test <${own}>`,
    `<ceo@bank.test> <${own}>`,
    `<<ceo@bank.test> ${own}>`,
    `<${own}> ceo@bank.test`,
    `<${own}> Ann`,
    `(ceo@bank.test) ${own}`,
    `${own} (<ceo@bank.test>)`,
    `${own} (a (b) c)`,
    `a(c)@own.test`,
    `a@(c)own.test`,
    `${own} ${own}`,
    '"ceo@bank.test"@own.test',
    '"<ceo@bank.test>"@own.test',
    '"ceo@bank.test> "@own.test',
    // Ambiguous values.
    `Acme, Inc. <${own}>`,
    `Acme: Support <${own}>`,
    `"Ann <${own}>`,
    `Ann" <${own}>`,
    `Ann\\ <${own}>`,
    `"Ann\\" <${own}>`,
    `Ann <${own}`,
    `Ann ${own}>`,
    `Ann (Sales <${own}>`,
    `Ann <>`,
    'Ann',
    '',
    `Ann\r\n <${own}>`,
    `Ann\u0085<${own}>`,
    `Ann\u2028<${own}>`,
    `Ann\ud800 <${own}>`,
    `${'x'.repeat(4_096)} <${own}>`,
  ])('is not guessed from %j', (value) => expect(readMailbox(value)).toBeUndefined());

  it('is the only address that another parser finds', () => {
    const piece = fc.constantFrom(
      own,
      'ceo@bank.test',
      'Ann',
      '<',
      '>',
      '"',
      '(',
      ')',
      ',',
      ';',
      ':',
      ' ',
      '\\',
      '@',
      '=?utf-8?Q?=40?=',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const value = pieces.join('');
        const mailbox = readMailbox(value);
        if (mailbox === undefined) return;
        const others = addressParser(value, { flatten: true }).map(({ address }) => address?.toLowerCase());
        expect(others).toEqual([mailbox.address.toLowerCase()]);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('the mailboxes of To fields', () => {
  it('are all mailboxes that can be read, including those of groups', () => {
    const values = [`Ann <${own}>, "B, C" <b@x.test>; c@x.test (C)`, 'Team: d@x.test, <e@x.test>;, nobody', 'f@x.test'];
    expect(readMailboxes(values)).toMatchObject([
      { address: own, name: 'Ann' },
      { address: 'b@x.test', name: 'B, C' },
      { address: 'c@x.test', name: 'C' },
      { address: 'd@x.test' },
      { address: 'e@x.test' },
      { address: 'f@x.test' },
    ]);
  });

  it('are read behind a route, which only old programs write (RFC 5322 section 4.4)', () => {
    const mailboxes = readMailboxes(['Ann <@x.test,@y.test:a@x.test>, <@z.test : b@x.test>, <x@y:c@x.test>']);
    expect(mailboxes.map(({ address }) => address)).toEqual(['a@x.test', 'b@x.test']);
  });

  it('are at most a thousand', () => {
    expect(readMailboxes(['a@x.test,'.repeat(1_500)])).toHaveLength(1_000);
  });
});
