import { describe, expect, it } from '@jest/globals';
import { formatMailbox, parseMailbox } from './email-address.js';

describe('parseMailbox', () => {
  it.each([
    ['a@b.test', { address: 'a@b.test' }],
    ['<a@b.test>', { address: 'a@b.test' }],
    ['  Ann Bee  <a@b.test> ', { name: 'Ann Bee', address: 'a@b.test' }],
    ['"Bee, Ann" <a@b.test>', { name: 'Bee, Ann', address: 'a@b.test' }],
    ['"Ann \\"B\\" Bee" <a@b.test>', { name: 'Ann "B" Bee', address: 'a@b.test' }],
    ['Acme, Inc. <a@b.test>', { name: 'Acme, Inc.', address: 'a@b.test' }],
    ['Zoë 🚚 <zoë@bücher.test>', { name: 'Zoë 🚚', address: 'zoë@xn--bcher-kva.test' }],
    ['First.Last+tag@Sub.B.TEST', { address: 'First.Last+tag@sub.b.test' }],
    ['"odd local"@b.test', { address: '"odd local"@b.test' }],
  ])('reads %s', (text, expected) => {
    expect(parseMailbox(text)).toMatchObject(expected);
  });

  it.each([
    '',
    'a',
    'a@',
    '@b.test',
    'a@b',
    'a@b..test',
    'a@-b.test',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a b@c.test',
    '.a@b.test',
    'a..b@c.test',
    'a@b.test, c@d.test',
    'Ann <a@b.test',
    'Ann a@b.test>',
    'Ann <a@b.test> <c@d.test>',
    'Ann <Bee> <a@b.test>',
    '"Ann" Bee" <a@b.test>',
    'Ann\r\nBcc: x@y.test <a@b.test>',
    'a@b.test\n',
    'a\0@b.test',
    'a@b.test\u2028',
    `${'a'.repeat(65)}@b.test`,
    `a@${'b'.repeat(250)}.test`,
    `${'A'.repeat(1_001)} <a@b.test>`,
  ])('refuses %j', (text) => {
    expect(parseMailbox(text)).toBeUndefined();
  });
});

it('a mailbox that is formatted reads back the same', () => {
  for (const name of ['Ann', 'Bee, Ann', 'Ann "B" Bee', 'back\\slash', 'Zoë', 'a@b.test']) {
    const mailbox = { local: 'a', domain: 'b.test', address: 'a@b.test', name };
    expect(parseMailbox(formatMailbox(mailbox))).toEqual(mailbox);
  }
});
