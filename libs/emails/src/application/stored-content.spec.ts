import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBody, encodeBody } from './stored-content.js';

it('a body is decoded as it was encoded, with absent and empty parts kept apart', () => {
  const part = fc.option(fc.string({ unit: 'grapheme' }), { nil: null });
  fc.assert(
    fc.property(part, part, (html, text) => expect(decodeBody(encodeBody({ html, text }))).toEqual({ html, text })),
  );
});

it('an unknown format is refused', () => {
  expect(() => decodeBody(Uint8Array.of(9, 0, 0, 0, 0, 0))).toThrow(/format 9/);
});
