import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv.js';
import { mergedHead } from './merged-head.js';
import { extended, nothingSelected, present, toggled } from './selection.js';

const order = ['a', 'b', 'c', 'd'];

describe('a selection', () => {
  it('toggles, and extends from where it began', () => {
    const one = toggled(nothingSelected, 'b');
    expect([...extended(one, 'd', order).ids]).toEqual(['b', 'c', 'd']);
    expect([...extended(one, 'a', order).ids].sort()).toEqual(['a', 'b']);
    expect([...toggled(one, 'b').ids]).toEqual([]);
    expect([...extended(nothingSelected, 'c', order).ids]).toEqual(['c']);
  });

  it('forgets rows that are gone', () => {
    const two = toggled(toggled(nothingSelected, 'a'), 'gone');
    expect(present(two, order)).toEqual({ ids: new Set(['a']), anchor: undefined });
  });
});

describe('the newest page', () => {
  const page = (ids: string, has_more = true) => ({ data: [...ids].map((id) => ({ id, state: 'old' })), has_more });
  const head = (ids: string, has_more = true) => ({ data: [...ids].map((id) => ({ id, state: 'new' })), has_more });
  const ids = (pages: readonly { readonly data: readonly { readonly id: string }[] }[]): string =>
    pages.map(({ data }) => data.map(({ id }) => id).join('')).join('|');

  it('puts new rows first and renews those that are known', () => {
    const merged = mergedHead([page('cd'), page('ef')], head('abcd'));
    expect(ids(merged)).toBe('abcd|ef');
    expect(merged[0]?.data.every(({ state }) => state === 'new')).toBe(true);
    expect(merged[1]?.data.every(({ state }) => state === 'old')).toBe(true);
  });

  it('replaces everything where there would be a gap', () => {
    expect(ids(mergedHead([page('cd')], head('xy')))).toBe('xy');
    expect(ids(mergedHead([], head('xy')))).toBe('xy');
  });
});

it('a line of CSV is quoted where it must be, and no value is a formula', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', '=1+1', '@x', ''])).toBe(`a,"b,c","say ""hi""",'=1+1,'@x,\r\n`);
});
