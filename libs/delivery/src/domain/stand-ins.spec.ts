import { expect, it } from '@jest/globals';
import { RegionPresence, standInsOf } from './stand-ins.js';

const patienceMs = 60_000;
const alive = (name: string, steadyMs = 3_600_000): RegionPresence => ({ name, silentMs: 1_000, steadyMs, workers: 1 });
const silent = (name: string, silentMs: number): RegionPresence => ({
  name,
  silentMs,
  steadyMs: 3_600_000,
  workers: 0,
});
const standIns = (presences: readonly RegionPresence[]): Record<string, string | null> =>
  Object.fromEntries(standInsOf(['a', 'b', 'c'], presences, patienceMs));

it('each region sends for itself while a worker of it is alive', () => {
  expect(standIns([alive('a'), alive('b'), alive('c')])).toEqual({ a: null, b: null, c: null });
});

it('the next region that is alive stands in for one that has been silent for long enough', () => {
  expect(standIns([silent('a', 59_000), alive('b'), alive('c')])).toEqual({ b: null, c: null });
  expect(standIns([silent('a', 60_000), alive('b'), alive('c')])).toEqual({ a: 'b', b: null, c: null });
  expect(standIns([silent('a', 60_000), silent('b', 20_000), alive('c')])).toEqual({ a: 'c', c: null });
  expect(standIns([alive('a'), alive('b'), silent('c', 3_600_000)])).toEqual({ a: null, b: null, c: 'a' });
});

it('a region of which no worker was ever seen is silent', () => {
  expect(standIns([alive('b')])).toEqual({ a: 'b', b: null, c: 'b' });
});

it('a region takes its mail back only when it has been back for long enough', () => {
  expect(standIns([alive('a', 30_000), alive('b'), alive('c')])).toEqual({ b: null, c: null });
});

it('nobody stands in where no region is alive', () => {
  expect(standIns([silent('a', 90_000), silent('b', 90_000)])).toEqual({});
});
