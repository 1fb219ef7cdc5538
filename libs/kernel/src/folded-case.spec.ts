import { expect, it } from '@jest/globals';
import { foldedCase } from './folded-case.js';

it('a sigma is the same letter everywhere in a word, so that the beginning of a name finds it', () => {
  expect(foldedCase('ΝΊΚΟΣ')).toBe(foldedCase('νίκος'));
  expect(foldedCase('Νίκοστρατος').startsWith(foldedCase('ΝΊΚΟΣ'))).toBe(true);
});

it('accents and ligatures stay, and a dotted capital I keeps its dot', () => {
  expect(foldedCase('ÉCOLE ﬁ')).toBe('école ﬁ');
  expect(foldedCase('İSTANBUL')).toBe('i̇stanbul');
});
