import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

type Release = () => void;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Asks for `times` turns. Returns the granted ones; the array grows when more are granted. */
async function ask(turns: FairTurns, owner: string, times: number): Promise<Release[]> {
  const given: Release[] = [];
  for (let n = 0; n < times; n++) void turns.take(owner).then((release) => given.push(release as Release));
  await settled();
  return given;
}

async function settled(): Promise<void> {
  for (let n = 0; n < 10; n++) await Promise.resolve();
}

it('an owner has at most its share at once, and gets the next turn when one is released', async () => {
  const turns = new FairTurns(3, 100);
  const given = await ask(turns, 'a', 5);
  expect(given).toHaveLength(3);
  given[0]?.();
  await settled();
  expect(given).toHaveLength(4);
});

it('owners that keep all their turns leave some for a new owner', async () => {
  const turns = new FairTurns(8, 16);
  const held = await Promise.all(['a', 'b', 'c'].map((owner) => ask(turns, owner, 20)));
  expect(held.map(({ length }) => length)).toEqual([8, 4, 2]);
  expect(await ask(turns, 'd', 20)).toHaveLength(1);
  expect(await ask(turns, 'e', 1)).toHaveLength(1);
});

it('a released turn goes to the owner with the fewest turns', async () => {
  const turns = new FairTurns(8, 4);
  const ofA = await ask(turns, 'a', 9);
  const ofB = await ask(turns, 'b', 9);
  const ofC = await ask(turns, 'c', 9);
  expect([ofA, ofB, ofC].map(({ length }) => length)).toEqual([2, 1, 1]);
  const ofD = await ask(turns, 'd', 9);
  ofA[0]?.();
  await settled();
  expect([ofA, ofB, ofC, ofD].map(({ length }) => length)).toEqual([2, 1, 1, 1]);
});

it('a request that waits too long gets no turn, and the next one is served', async () => {
  const turns = new FairTurns(1, 100);
  const [release] = await ask(turns, 'a', 1);
  const late = turns.take('a', 1_000);
  const patient = turns.take('a');
  jest.advanceTimersByTime(1_000);
  expect(await late).toBeUndefined();
  release?.();
  expect(await patient).toBeInstanceOf(Function);
});
