import { expect, it } from '@jest/globals';
import { utf8OfWindows1252 } from './charsets.js';

const text = (...bytes: number[]): string => Buffer.from(utf8OfWindows1252(Uint8Array.from(bytes))).toString();
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, no) => first + no);

it('every byte of Windows-1252 has its character', () => {
  expect(text(...range(0x00, 0x7f))).toBe(String.fromCharCode(...range(0x00, 0x7f)));
  expect(text(...range(0x80, 0x8f))).toBe('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f');
  expect(text(...range(0x90, 0x9f))).toBe('\u0090‘’“”•–—˜™š›œ\u009džŸ');
  expect(text(...range(0xa0, 0xff))).toBe(String.fromCharCode(...range(0xa0, 0xff)));
  expect(text()).toBe('');
});
