import { expect, it } from '@jest/globals';
import { ListPage, mergePages } from './merged-list.js';

const page = (ids: string, has_more = false): ListPage => ({ data: [...ids].map((id) => ({ id })), has_more });
const idsOf = ({ data }: ListPage): string => data.map(({ id }) => id).join('');

it('the items of all cells come newest first', () => {
  const merged = mergePages([page('gda'), page('fb'), page('')], { limit: 10, isBackward: false });
  expect([idsOf(merged), merged.has_more]).toEqual(['gfdba', false]);
  expect(merged).not.toHaveProperty('next');
});

it('a page has no more items than asked for', () => {
  const merged = mergePages([page('ge', true), page('fd', true)], { limit: 2, isBackward: false });
  expect([idsOf(merged), merged.has_more]).toEqual(['gf', true]);
});

it('what a cell has not told yet is not skipped', () => {
  // The first cell may have `d` and `c`, which belong before `b`.
  const merged = mergePages([page('fe', true), page('b')], { limit: 5, isBackward: false });
  expect([idsOf(merged), merged.has_more]).toEqual(['fe', true]);
});

it('before a cursor, the page ends at the cursor', () => {
  const merged = mergePages([page('db', true), page('ec')], { limit: 2, isBackward: true });
  expect([idsOf(merged), merged.has_more]).toEqual(['cb', true]);
  const rest = mergePages([page('d'), page('e')], { limit: 2, isBackward: true });
  expect([idsOf(rest), rest.has_more]).toEqual(['ed', false]);
});

it('a search goes on where the first cell has stopped looking', () => {
  const stopped = { ...page('h', true), next: 'e' };
  const done = { ...page('gd'), next: null };
  expect(mergePages([stopped, done], { limit: 5, isBackward: false })).toMatchObject({ has_more: true, next: 'e' });
  expect(idsOf(mergePages([stopped, done], { limit: 5, isBackward: false }))).toBe('hg');
  expect(mergePages([done, done], { limit: 9, isBackward: false })).toMatchObject({ has_more: false, next: null });
  expect(mergePages([done, stopped], { limit: 1, isBackward: false })).toMatchObject({ has_more: true, next: 'h' });
});
