import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dotStuffed, inspectContent } from './message-content.js';

const stuffed = (text: string): string => {
  const content = Buffer.from(text, 'latin1');
  return Buffer.from(dotStuffed(content, inspectContent(content).dottedLines)).toString('latin1');
};

const headerOf = (text: string): string => (text.startsWith('\r\n') ? '' : (text.split('\r\n\r\n', 1)[0] as string));

describe('inspectContent', () => {
  test('finds the same as regular expressions in any bytes at any alignment', () => {
    const piece = fc.constantFrom('\r\n', '\r', '\n', '.', '\r\n.', 'text', '\t', 'é', '\0', '\r\n\r\n');
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 0, max: 7 }), (pieces, offset) => {
        const text = pieces.join('');
        const content = Buffer.from('.'.repeat(offset) + text, 'latin1').subarray(offset);

        expect(inspectContent(content)).toEqual({
          hasBareLineBreak: /\r(?!\n)|(?<!\r)\n/.test(text),
          hasEightBit: text.includes('é'),
          hasEightBitHeader: /é/.test(headerOf(text)),
          dottedLines: (text.match(/(?:^|\r\n)\./g) ?? []).length,
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('dotStuffed', () => {
  test('content without dotted lines is not copied', () => {
    const content = Buffer.from('Subject: a\r\n\r\nb. c\r\n');

    expect(dotStuffed(content, 0)).toBe(content);
  });

  test.each([
    ['.a\r\n', '..a\r\n'],
    ['.\r\n', '..\r\n'],
    ['a\r\n.\r\nb\r\n', 'a\r\n..\r\nb\r\n'],
    ['a\r\n..\r\n.\r\n', 'a\r\n...\r\n..\r\n'],
    ['a', 'a\r\n'],
    ['a\r\n.', 'a\r\n..\r\n'],
    ['', ''],
  ])('%j becomes %j', (before, after) => {
    expect(stuffed(before)).toBe(after);
  });

  test('the dot at the start of each line is doubled, and no other', () => {
    const line = fc.stringMatching(/^[.a]{0,4}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const text = lines.map((each) => `${each}\r\n`).join('');
        expect(stuffed(text)).toBe(text.replace(/^\./gm, '..'));
      }),
    );
  });
});
