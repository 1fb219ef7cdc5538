import { expect, it } from '@jest/globals';
import { contains, foldedCase, nearestName } from './text-search.js';

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

it('a sigma is the same letter everywhere in a word, so that the beginning of a name finds it', () => {
  expect(foldedCase('ΝΊΚΟΣ')).toBe(foldedCase('νίκος'));
  expect(foldedCase('Νίκοστρατος').startsWith(foldedCase('ΝΊΚΟΣ'))).toBe(true);
});

it('accents and ligatures stay, and a dotted capital I keeps its dot', () => {
  expect(foldedCase('ÉCOLE ﬁ')).toBe('école ﬁ');
  expect(foldedCase('İSTANBUL')).toBe('i̇stanbul');
});

it.each([
  ['pln', 'plan'],
  ['Plan', 'plan'],
  ['palns', 'plans'],
  ['country', undefined],
  ['', undefined],
  ['x'.repeat(1_000), undefined],
])('%s stands for %s', (given, meant) => {
  expect(nearestName(given, ['email', 'plans', 'plan', 'first_name'])).toBe(meant);
});
