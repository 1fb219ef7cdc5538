const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before try 2 to 8 (docs/wire-contract.md section 22.2). The first is made at once. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

export const maxTries = waits.length + 1;

/** Later by up to a tenth, never earlier, so that what failed together does not come back together. */
const jitter = 0.1;

/** When to try again after so many tries (from 1), all of them failures; undefined where that was the last. */
export function nextTryAt(tries: number, now: Date, random: number): Date | undefined {
  const wait = waits[tries - 1];
  return wait === undefined ? undefined : new Date(now.getTime() + wait * (1 + jitter * random));
}
