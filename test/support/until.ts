import { setTimeout as delay } from 'node:timers/promises';

/** Resolves with the first value that is not undefined or false; rejects when there is none within the time. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`Nothing came of it within ${withinMs} ms: ${look.toString()}`);
    await delay(5);
  }
}
