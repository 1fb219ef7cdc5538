import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EncodedBytes, LargeText } from '#kernel';
import { fingerprintOf, fingerprintOfLarge } from './fingerprint.js';

const hex = (body: unknown): string => Buffer.from(fingerprintOf(body)).toString('hex');

/** The same JSON with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

describe('the fingerprint of a body', () => {
  it('does not depend on the order of keys or on white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = JSON.parse(JSON.stringify(value, undefined, 2)) as unknown;
        expect(hex(reversed(written))).toBe(hex(written));
      }),
    );
  });

  it('differs for different bodies', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        fc.pre(!same);
        const [first, second] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        fc.pre(JSON.stringify(first) !== JSON.stringify(second));
        expect(hex(reversed(first)) === hex(second)).toBe(hex(first) === hex(second));
      }),
    );
    expect(hex({ to: ['a', 'b'] })).not.toBe(hex({ to: ['b', 'a'] }));
    expect(hex({ to: ['ab'] })).not.toBe(hex({ to: ['a', 'b'] }));
    expect(hex({ a: 1, b: 2 })).not.toBe(hex({ a: 1, c: 2 }));
    expect(hex([1, 2])).not.toBe(hex([12]));
    expect(hex(['1'])).not.toBe(hex([1]));
  });

  it('of an array of many numbers depends on the numbers only', () => {
    const bytes = Array.from({ length: 40_000 }, (_, index) => index % 256);

    expect(hex({ content: bytes })).toBe(hex({ content: [...bytes] }));
    expect(hex({ content: bytes })).not.toBe(hex({ content: [...bytes.slice(0, -1), 300] }));
  });

  it.each([
    ['base64', (bytes: Buffer) => bytes.toString('base64')],
    ['integers', (bytes: Buffer) => [...bytes]],
  ] as const)('of bytes decoded while the body was read equals that of the original %s', async (writtenAs, written) => {
    for (const length of [0, 1, 3, 100_000, 100_001]) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 256));
      const body = (content: unknown): unknown => ({ attachments: [{ content, filename: 'a' }] });

      expect(await fingerprintOfLarge(body(new EncodedBytes(bytes, writtenAs)))).toEqual(
        fingerprintOf(body(written(bytes))),
      );
    }
  });

  it('is the same in every version, because stored keys are compared with it', async () => {
    const body = {
      to: ['a@b.test', 1],
      html: LargeText.from('Grüße "x"'),
      tags: [{ name: 'n', value: null }],
      ok: true,
    };
    const canonical = '{"html":"Grüße \\"x\\"","ok":true,"tags":[{"name":"n","value":null,},],"to":["a@b.test",1,],}';

    expect(hex(await Promise.resolve(body))).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it.each([
    ['text', () => LargeText.from('"Grüße"\n'.repeat(1_000_000))],
    ['bytes', () => new EncodedBytes(Buffer.alloc(8_000_000))],
    ['integers', () => new EncodedBytes(Buffer.alloc(4_000_000, 200), 'integers')],
  ])('of megabytes of %s lets other requests run meanwhile', async (_, value) => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    const body = { html: value() };
    setImmediate(turn);
    await fingerprintOfLarge(body);
    isDone = true;

    expect(turns).toBeGreaterThan(10);
  });

  it('of a LargeText equals that of the same string', async () => {
    const text = '"Grüße" 🎉\n'.repeat(10_000);

    expect(await fingerprintOfLarge({ html: LargeText.from(text) })).toEqual(fingerprintOf({ html: text }));
  });

  it('is refused for a body that is nested too deeply', () => {
    const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;

    expect(() => fingerprintOf(deep)).toThrow('nested too deeply');
  });
});
