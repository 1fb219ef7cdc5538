import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GatheredBytes } from './arriving-content.js';

function gathered(chunks: readonly Uint8Array[]): Uint8Array[] {
  const bytes = new GatheredBytes();
  return [...chunks.flatMap((chunk) => [...bytes.add(chunk)]), ...bytes.rest()];
}

it('single bytes are passed on in blocks', () => {
  const blocks = gathered(Array.from({ length: 100_000 }, (_, at) => Uint8Array.of(at & 0xff)));
  expect(blocks.length).toBeLessThan(10);
});

it('large chunks are passed on as they are', () => {
  const large = new Uint8Array(4_096);
  expect(gathered([large, large])).toEqual([large, large]);
  expect(gathered([large])[0]).toBe(large);
});

it('no byte is lost or moved', () => {
  const chunk = fc.nat(9_000).map((length) => Buffer.alloc(length, 'abcdefg'));
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
      expect(Buffer.concat(gathered(chunks)).equals(Buffer.concat(chunks))).toBe(true);
    }),
  );
});
