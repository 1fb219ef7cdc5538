import { expect, it } from '@jest/globals';
import { IntrusiveSet, Placed } from './intrusive-set.js';

const item = (): Placed => ({ place: -1 });

it('has what was added and not removed, however often both were said', () => {
  const [first, second, third] = [item(), item(), item()];
  const set = new IntrusiveSet<Placed>();
  for (const each of [first, second, third, second]) set.add(each);
  expect([set.delete(first), set.delete(first)]).toEqual([true, false]);
  expect([set.size, set.has(first), set.has(second), set.has(third)]).toEqual([2, false, true, true]);
  expect(new Set(set)).toEqual(new Set([second, third]));
});

it('does not take an object for another that has its former place', () => {
  const set = new IntrusiveSet<Placed>();
  const [gone, present] = [item(), item()];
  set.add(gone);
  set.delete(gone);
  set.add(present);
  expect([set.has(gone), set.delete(gone), set.has(present)]).toEqual([false, false, true]);
});
