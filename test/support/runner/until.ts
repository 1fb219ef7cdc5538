import { setTimeout as delay } from 'node:timers/promises';
import { stretched } from './stretched.js';

/**
 * Resolves to the first value that is not undefined or false; rejects if there is none within the time, which is longer on
 * a slow machine.
 *
 * Polls at growing intervals, because polling slows down the work that is awaited.
 */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  const start = performance.now();
  const limitMs = stretched(withinMs);
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    const waitedMs = performance.now() - start;
    if (waitedMs > limitMs) throw new Error(`Nothing came of it within ${limitMs} ms: ${look.toString()}`);
    await delay(Math.min(50, 1 + waitedMs / 20));
  }
}
