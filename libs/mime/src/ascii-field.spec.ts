import { describe, expect, it } from '@jest/globals';
import { isAscii } from 'node:buffer';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { asciiField } from './ascii-field.js';

const ascii = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  asciiField(Buffer.from(`${text}\r\n`, encoding)).toString('utf8');

describe('a field with text beyond ASCII', () => {
  it.each([
    ['Subject: Grüße', 'Subject: =?UTF-8?B?R3LDvMOfZQ==?='],
    ['Subject: =?UTF-8?Q?a=40?= ü', 'Subject: =?UTF-8?B?YUAgw7w=?='],
    ['X-Note : ü', 'X-Note: =?UTF-8?B?w7w=?='],
    ['From: Jürgen A. Müller <a@x.test>', 'From: =?UTF-8?B?SsO8cmdlbiBBLiBNw7xsbGVy?= <a@x.test>'],
    [
      'To: "B, Ö" <b@x.test>, c@x.test (Ü),\r\n Team: Ann\r\n <d@x.test>;',
      'To: =?UTF-8?B?Qiwgw5Y=?= <b@x.test>, c@x.test (=?UTF-8?B?w5w=?=), Team: Ann\r\n <d@x.test>;',
    ],
    ['Cc: a@bücher.test', 'Cc: a@xn--bcher-kva.test'],
  ])('%j becomes %j', (field, expected) => expect(ascii(field)).toBe(`${expected}\r\n`));

  it('that is not UTF-8 is read as Latin-1', () => {
    expect(ascii('Subject: Gr\u00fc\u00dfe', 'latin1')).toBe('Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n');
  });

  it.each([
    'From: jürgen@x.test',
    'Content-Disposition: attachment; filename="ü.pdf"',
    'List-Unsubscribe: <https://x.test/ü>',
    'To: "ü <a@x.test>',
    'To: ü <a@x.test> )',
    `Subject: ${'ü'.repeat(5_000)}`,
    'Subject: no more than ASCII',
    `X-${'x'.repeat(80)}: ü`,
  ])('is not changed where it cannot be encoded with certainty: %j', (field) =>
    expect(ascii(field)).toBe(`${field}\r\n`),
  );

  it('has the same meaning for another parser after it is encoded, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), async (text) => {
        const words = text.replace(/[\s\p{C}"\\<>(),;:@=?\ufffd]+/gu, ' ').trim();
        fc.pre(/[^\x20-\x7e]/.test(words));
        const changed = asciiField(Buffer.from(`From: ${words} <a@x.test>\r\n`));
        expect(isAscii(changed)).toBe(true);
        const { from } = await PostalMime.parse(Buffer.concat([changed, Buffer.from('\r\n')]));
        expect(from).toMatchObject({ name: words, address: 'a@x.test' });
      }),
      { numRuns: 300 },
    );
  });
});
