import { describe, expect, it } from '@jest/globals';
import { EncodedBytes } from '#kernel';
import fc from 'fast-check';
import { JsonScanner } from './json-scanner.js';
import { parseScanned } from './parse-body.js';

const mark = 'a-secret:';
const long = 20_000;

function scan(text: string | Buffer, blockSize = 64 * 1024): unknown {
  const bytes = Buffer.from(text as string);
  const scanner = new JsonScanner(mark);
  for (let at = 0; at < bytes.length; at += blockSize) scanner.push(bytes.subarray(at, at + blockSize));
  return parseScanned(scanner.end(), mark, JSON.parse as (json: string) => unknown);
}

/** An email with an attachment. */
const attached = (json: string): string => `{"attachments":[${json}]}`;

function scanAttached<Attachment>(json: string, blockSize: number): Attachment {
  const { attachments } = scan(attached(json), blockSize) as { attachments: [Attachment] };
  return attachments[0];
}

/** The value with base64 in place of decoded bytes. */
function plain(value: unknown): unknown {
  if (value instanceof EncodedBytes)
    return value.bytes === undefined ? 'no bytes' : Buffer.from(value.bytes).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

describe('a scanned body', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }).map((part) => part.replaceAll('\0', '').toWellFormed()),
    fc.constantFrom('a'.repeat(long), 'ü€😀'.repeat(3_000), 'x"\\/\n'.repeat(5_000), `${'q'.repeat(long)}\\`),
  );
  const { value: body } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.constantFrom(0, -1.5, 1e300, true, false, null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.string({ maxLength: 8 }).filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }));

  it('has the value that JSON.parse returns, for any chunks and any escapes', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 300 }), fc.boolean(), (value, blockSize, escaped) => {
        const json = JSON.stringify(value, undefined, escaped ? 1 : 0);
        const written = escaped
          ? json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : json;
        expect(scan(written, blockSize)).toEqual(JSON.parse(json));
      }),
      { numRuns: 150 },
    );
  });

  const bytes = Buffer.from(Array.from({ length: 30_001 }, (_, at) => (at * 7) % 256));
  const base64 = bytes.toString('base64');
  it.each([
    ['base64', JSON.stringify({ content: base64 })],
    ['base64 of URLs, without padding', JSON.stringify({ content: bytes.toString('base64url') })],
    ['base64 in lines', JSON.stringify({ content: base64.replace(/.{76}/g, '$&\r\n') })],
    ['base64 with escaped slashes', JSON.stringify({ content: base64 }).replaceAll('/', '\\/')],
    ['base64 with every plus as a code', JSON.stringify({ content: base64 }).replaceAll('+', '\\u002B')],
    ['integers', JSON.stringify({ content: [...bytes] })],
    ['integers in lines', JSON.stringify({ content: [...bytes] }, undefined, 2)],
    ['a Buffer', JSON.stringify({ content: bytes })],
  ])('has decoded bytes that were written as %s', (_, json) => {
    for (const blockSize of [1, 7, 4_096, 65_536]) {
      const { content } = scanAttached<{ content: EncodedBytes | { data: EncodedBytes } }>(json, blockSize);
      expect(Buffer.compare(('data' in content ? content.data : content).bytes as Buffer, bytes)).toBe(0);
    }
  });

  it('has the attachments of each email of a batch', () => {
    const email = {
      text: 'Hello',
      attachments: [{ filename: 'a', content: base64 }, { content: [...bytes] }],
      to: 'a',
    };
    const [first, second] = scan(JSON.stringify([email, email]), 4_096) as (typeof email)[];
    for (const { attachments } of [first, second] as { attachments: { content: unknown }[] }[]) {
      for (const { content } of attachments)
        expect(Buffer.compare((content as EncodedBytes).bytes as Buffer, bytes)).toBe(0);
    }
  });

  it('has `content` and `data` outside of attachments as they were written', () => {
    const values = { data: [1, 2, 3], content: 'A'.repeat(long), more: { data: [1.5], content: [{ data: [7] }] } };
    const attachments = [{ filename: 'a', content: 'aGk=' }];
    for (const value of [
      values,
      [{ event: 'paid', payload: { ...values, attachments: [values] } }],
      { attachments, ...values },
      { payload: { attachments: [values] } },
      [{ attachments, payload: values }],
      { attachments: values },
      [[{ attachments: [values] }]],
    ]) {
      expect(scan(JSON.stringify(value), 1_000)).toEqual(value);
    }
  });

  it.each([
    ['base64 with a stray character', { content: `${'A'.repeat(long)}*AAA` }],
    ['base64 after its padding', { content: `${'A'.repeat(long)}AA==AAAA` }],
    ['a text in other letters', { content: 'ü'.repeat(long) }],
  ])('has no bytes for %s', (_, value) => {
    expect(plain(scanAttached(JSON.stringify(value), 999))).toEqual({ content: 'no bytes' });
  });

  it.each(['[1,2,"x"]', '[1,2.5]', '[1, 256]', '[0,-1]', '[7,{"a":1}]', '[1,2 ,[3]]', '[1e2]', '[1,null]'])(
    'has no bytes for %s, and the rest is read',
    (content) => {
      for (const blockSize of [1, 3, 100]) {
        const json = `{"content":${content},"next":[1]}`;
        const scanned = scanAttached<{ content: unknown[]; next: unknown }>(json, blockSize);
        expect(plain(scanned.content)).toContain('no bytes');
        expect(scanned.next).toEqual([1]);
      }
    },
  );

  it.each([
    '[1,]',
    '[1 2]',
    '[01]',
    attached('{"content":[1,2,]}'),
    attached('{"content":[1 2]}'),
    attached('{"content":[012]}'),
    attached('{"content":[1'),
    '"abc',
    '{"a":"x\\u12"}',
    attached('{"content":[1,2}}'),
    `{"a":"${'x'.repeat(long)}\n"}`,
    `{"a":"${'x'.repeat(long)}\\q"}`,
    `{"a":"${'x'.repeat(long)}\\u00"}`,
    attached(`{"content":"${'A'.repeat(long)}\n"}`),
    `{"a":"${'x'.repeat(long)}`,
    `"${'x'.repeat(long)}"x`,
  ])('is refused where it is not JSON: %.30s', (json) => {
    for (const blockSize of [1, 1_000]) expect(() => scan(json, blockSize)).toThrow();
  });

  it.each([
    ['values', `[${'{},'.repeat(100_001)}{}]`, 'at most 100000 values'],
    ['white space', `[${' '.repeat(5_000_000)}]`, 'values'],
    ['depth', `${'['.repeat(65)}${']'.repeat(65)}`, 'too deeply'],
    ['a key', `{"${'k'.repeat(2_000)}":1}`, 'longer than 1024 bytes'],
    ['text', `["${'x'.repeat(43 * 1024 * 1024)}"]`, 'too large'],
    ['bytes', attached(`{"content":"${'A'.repeat(43 * 1024 * 1024)}"}`), 'too large'],
    ['short strings', `["${`${'x'.repeat(16_000)}","`.repeat(1_100)}"]`, 'too large'],
    ['NUL', `["${'x'.repeat(long)}\\u0000${'y'.repeat(99)}"]`, 'NUL'],
  ])('is refused for too much (%s) before it is complete', (_, json, message) => {
    const scanner = new JsonScanner(mark);
    const push = (): void => {
      const bytes = Buffer.from(json.slice(0, -1));
      for (let at = 0; at < bytes.length; at += 65_536) scanner.push(bytes.subarray(at, at + 65_536));
      parseScanned({ ...scanner.end() }, mark, JSON.parse as (text: string) => unknown);
    };
    expect(push).toThrow(message);
  });

  it('is refused where it is not UTF-8', () => {
    const broken = Buffer.concat([Buffer.from('["'), Buffer.alloc(long, 0xc3), Buffer.from('"]')]);
    expect(() => scan(broken)).toThrow('UTF-8');
    expect(() => scan(Buffer.concat([Buffer.from('["'), Buffer.from([0xff]), Buffer.from('"]')]))).toThrow('UTF-8');
  });

  it('keeps strings that look like the mark of a part', () => {
    expect(scan(JSON.stringify(['another:0', 'x'.repeat(long)]))).toEqual(['another:0', 'x'.repeat(long)]);
  });
});
