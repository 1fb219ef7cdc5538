import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LoopTurns } from './loop-turns.js';

/** Keeps the main thread busy in `count` turns of `ms` each. */
async function takeTurns(count: number, ms: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    await nextTurn();
  }
}

it('measures how long a turn of the event loop takes, and forgets it when turns are short again', async () => {
  const loop = new LoopTurns();
  void loop.meanMs;
  await takeTurns(4, 60);
  const long = loop.meanMs;
  expect(long).toBeGreaterThan(25);
  expect(loop.meanMs).toBe(long);
  await takeTurns(2_000, 0.1);
  expect(loop.meanMs).toBeLessThan(long / 2);
});
