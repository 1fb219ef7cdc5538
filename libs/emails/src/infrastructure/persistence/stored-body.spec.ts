import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBody, encodeBody } from './stored-body.js';

it('a body reads back as it was written, absent and empty parts told apart', () => {
  const part = fc.option(fc.string({ unit: 'grapheme' }), { nil: null });
  fc.assert(
    fc.property(part, part, (html, text) => expect(decodeBody(encodeBody({ html, text }))).toEqual({ html, text })),
  );
});

it('a format from the future is not guessed at', () => {
  expect(() => decodeBody(Uint8Array.of(9, 0, 0, 0, 0, 0))).toThrow(/format 9/);
});
