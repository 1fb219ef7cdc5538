import { expect, it } from '@jest/globals';
import { isUnspaced, widthOf, wordCount } from './text-measures.js';

it('counts words by spaces, and letters of scripts without them by two', () => {
  expect(wordCount('Thank you – for your order!')).toBe(5);
  expect(wordCount('ご注文の商品')).toBe(3);
  expect(wordCount('Acme の商品')).toBe(3);
});

it('knows text without spaces, and the width of its letters', () => {
  expect([isUnspaced('Ihre Bestellung'), isUnspaced('ご注文の商品を発送'), isUnspaced('')]).toEqual([
    false,
    true,
    false,
  ]);
  expect([widthOf('Hello'), widthOf('商品')]).toEqual([5, 4]);
});
