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

  it('differs where the bodies do', () => {
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

  it('of many numbers is that of the same numbers', () => {
    const bytes = Array.from({ length: 40_000 }, (_, index) => index % 256);

    expect(hex({ content: bytes })).toBe(hex({ content: [...bytes] }));
    expect(hex({ content: bytes })).not.toBe(hex({ content: [...bytes.slice(0, -1), 300] }));
  });

  it('of bytes that were decoded on their way in is that of the same bytes', async () => {
    const body = (fill: number): unknown => [{ content: new EncodedBytes(Buffer.alloc(2_500_000, fill)) }];
    const [first, again, other] = await Promise.all([body(1), body(1), body(2)].map(fingerprintOfLarge));

    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
  });

  it('of long text is that of the same string', async () => {
    const text = '"Grüße"\n'.repeat(10_000);

    expect(await fingerprintOfLarge({ html: LargeText.from(text) })).toEqual(fingerprintOf({ html: text }));
  });

  it('is refused to a body that is nested without end', () => {
    const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;

    expect(() => fingerprintOf(deep)).toThrow('nested too deeply');
  });
});
