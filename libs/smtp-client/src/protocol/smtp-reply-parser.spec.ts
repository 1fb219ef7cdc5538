import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SmtpProtocolError, SmtpReplyParser } from './smtp-reply-parser.js';
import type { SmtpReply } from './smtp-reply-parser.js';

function parse(...chunks: (string | Buffer)[]): SmtpReply[] {
  const parser = new SmtpReplyParser();
  const replies: SmtpReply[] = [];
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk as string);
    parser.push(bytes, bytes.length, (reply) => replies.push(reply));
  }
  return replies;
}

describe('SmtpReplyParser', () => {
  test('a reply is read with its enhanced status code', () => {
    expect(parse('550 5.1.1 No such user\r\n')).toEqual([
      { code: 550, enhancedCode: '5.1.1', lines: ['No such user'] },
    ]);
  });

  test('a multi-line reply is one reply, whose enhanced code is not part of any line', () => {
    const [reply] = parse('550-5.7.1 Not from\r\n550-5.7.1 your address,\r\n550 5.7.1 sorry\r\n');

    expect(reply).toMatchObject({ code: 550, enhancedCode: '5.7.1', lines: ['Not from', 'your address,', 'sorry'] });
    expect(reply?.text).toBe('Not from your address, sorry');
    expect(String(reply)).toBe('550 5.7.1 Not from your address, sorry');
  });

  test('several replies in one chunk are read in order', () => {
    expect(parse('250 a\r\n250 b\r\n354 c\r\n').map((reply) => reply.text)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['250\r\n', 250, ''],
    ['250 \r\n', 250, ''],
    ['250 bare line feed\n', 250, 'bare line feed'],
  ])('%j is accepted', (bytes, code, text) => {
    expect(parse(bytes)).toMatchObject([{ code, lines: [text] }]);
  });

  test.each(['250 4.1.1 another class\r\n', '250 2.1 short\r\n', '250 2.1000.1 long\r\n', '250 2.1.1x odd\r\n'])(
    '%j has no enhanced status code',
    (bytes) => {
      expect(parse(bytes)[0]?.enhancedCode).toBeUndefined();
    },
  );

  test.each([
    'hello\r\n',
    '25\r\n',
    '\r\n',
    '150 early\r\n',
    '650 late\r\n',
    '250_x\r\n',
    '250-a\r\n251 b\r\n',
    'HTTP/1.1 400\r\n',
  ])('%j is a protocol error', (bytes) => {
    expect(() => parse(bytes)).toThrow(SmtpProtocolError);
  });

  test('text is shown without control characters, and as UTF-8', () => {
    const bytes = Buffer.from('550 Postfach für \0Jürgen\x1b voll\r\n', 'utf8');

    expect(parse(bytes.subarray(0, 15), bytes.subarray(15))[0]?.text).toBe('Postfach für ?Jürgen? voll');
  });

  test('only the first 2 KB of a long line are kept', () => {
    expect(parse(`250 ${'x'.repeat(10_000)}\r\n`)[0]?.text).toHaveLength(2_044);
    expect(parse(`250 ${'x'.repeat(3_000)}`, 'x'.repeat(3_000), '\r\n')[0]?.text).toHaveLength(2_044);
  });

  test('a line without end and a reply without end are protocol errors', () => {
    expect(() => parse(...new Array<string>(70).fill('x'.repeat(1_000)))).toThrow(SmtpProtocolError);
    expect(() => parse('220-again\r\n'.repeat(300))).toThrow(SmtpProtocolError);
  });

  test('the result does not depend on how the bytes are split into chunks', () => {
    const bytes = Buffer.from('220-hello\r\n220 ESMTP\r\n250-PIPELINING\r\n250 SIZE 10\r\n550 5.1.1 Ünbekannt\r\n');
    const whole = parse(bytes);

    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), bytes.length];
        expect(parse(...ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end)))).toEqual(whole);
      }),
    );
  });
});
