import { expect, it } from '@jest/globals';
import { WeightedTurns } from './source-hosts.js';

const host = (heloName: string, weight?: number): { heloName: string; weight?: number } => ({ heloName, weight });

it('hosts of equal weight take turns', () => {
  const turns = new WeightedTurns();
  const hosts = [host('a'), host('b')];
  expect([1, 2, 3, 4].map(() => turns.next(hosts).heloName)).toEqual(['a', 'b', 'a', 'b']);
});

it('a host goes as often as its weight says, spread over the turns', () => {
  const turns = new WeightedTurns();
  const hosts = [host('a', 3), host('b', 1)];
  expect(Array.from({ length: 8 }, () => turns.next(hosts).heloName).join('')).toBe('aabaaaba');
});
