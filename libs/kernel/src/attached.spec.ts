import { expect, it } from '@jest/globals';
import { Attached } from './attached.js';

it('gives each object a value of its own, which its fields do not show', () => {
  const [first, second] = [{ url: '/a' }, { url: '/b' }];
  const owners = new Attached<{ url: string }, string>();
  const clocks = new Attached<{ url: string }, number>();
  owners.set(first, 'team');
  clocks.set(first, 7);
  expect([owners.get(first), clocks.get(first), owners.get(second)]).toEqual(['team', 7, undefined]);
  expect([Object.keys(first), JSON.stringify(first)]).toEqual([['url'], '{"url":"/a"}']);
  owners.delete(first);
  expect([owners.has(first), clocks.has(first)]).toEqual([false, true]);
});
