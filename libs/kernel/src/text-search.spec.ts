import { expect, it } from '@jest/globals';
import { contains } from './text-search.js';

it('finds what a text contains, as `includes` does', () => {
  const letters = (length: number): string => Array.from({ length }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('');
  for (let time = 0; time < 500; time++) {
    const text = letters(400);
    const at = Math.floor(Math.random() * 350);
    const wanted = time % 2 === 0 ? text.slice(at, at + 17 + (time % 30)) : letters(17);
    expect(contains(text, wanted)).toBe(text.includes(wanted));
  }
});

it('finds a long text among others that are nearly the same', () => {
  const wanted = `${'a'.repeat(500)}b${'a'.repeat(499)}`;
  const text = 'a'.repeat(10_000);
  expect([contains(text, wanted), contains(text + wanted, wanted), contains(wanted, text)]).toEqual([
    ...[false, true, false],
  ]);
});
