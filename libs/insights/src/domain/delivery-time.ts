/** Upper ends of the classes of times to deliver, in seconds. A last class has all that is beyond. */
export const timeLimits: readonly number[] = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 172_800,
];

/**
 * The time within which this part (0.5, 0.95) of the messages was delivered, in seconds, rounded up to a full second. Within a class times
 * count as spread evenly. Undefined if there are none.
 */
export function timeQuantile(counts: ReadonlyMap<number, number>, part: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let before = 0;
  for (let no = 0; no <= timeLimits.length; no++) {
    const count = counts.get(no) ?? 0;
    if (count === 0 || before + count < total * part) {
      before += count;
      continue;
    }
    const from = no === 0 ? 0 : (timeLimits[no - 1] as number);
    const to = timeLimits[no] ?? from;
    return Math.ceil(from + (to - from) * ((total * part - before) / count));
  }
  return timeLimits.at(-1);
}
