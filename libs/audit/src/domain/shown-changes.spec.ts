import { expect, it } from '@jest/globals';
import { changesBetween, shown } from './shown-changes.js';

it('secrets are hidden at any depth, and what only says whether there is one is shown', () => {
  const value = { signing_secret: 'whsec_1', token: 're_1', nested: [{ password: 'x', name: 'n' }], has_token: true };
  expect(shown(value)).toEqual({
    signing_secret: '[hidden]',
    token: '[hidden]',
    nested: [{ password: '[hidden]', name: 'n' }],
    has_token: true,
  });
});

it('large values are cut: text, items, fields and depth', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`) as unknown;
  expect(JSON.stringify(shown(deep)).length).toBeLessThan(60);
  const wide = { text: 'x'.repeat(10_000), items: Array.from({ length: 10_000 }, () => 1) };
  expect(JSON.stringify(shown(wide)).length).toBeLessThan(1_000);
  expect(
    Object.keys(shown(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, i]))) as object),
  ).toHaveLength(100);
});

it('only the fields that differ are kept', () => {
  expect(changesBetween({ a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 }, d: null })).toEqual({
    before: { b: { c: 2 } },
    after: { b: { c: 3 }, d: null },
  });
  expect(changesBetween(undefined, { a: 1 })).toEqual({ before: null, after: { a: 1 } });
});
