import { expect, it } from '@jest/globals';
import { groupsOf } from './unindexed-rows.js';

const megabyte = 1024 * 1024;

it('rows are read in groups of at most 4 MB, in their order', () => {
  const sizes = [1, 3, 1, 9, 2, 2, 1].map((size, index) => ({ id: `${index}`, bytes: size * megabyte }));
  expect(groupsOf(sizes)).toEqual([['0', '1'], ['2'], ['3'], ['4', '5'], ['6']]);
  expect(groupsOf([])).toEqual([]);
});
