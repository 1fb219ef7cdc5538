/** Differences below this are noise. */
const noiseMs = 10;
/** A growth for which no further try is needed. */
const clearlyLinear = 6;

/**
 * How many times as long work takes for four times the size: linear is 4, quadratic is 16. In processor time, and the
 * least of several tries, because the collection of garbage and other work of the process can only add time.
 */
export async function growthOfTime(work: (size: number) => unknown, size: number, tries = 5): Promise<number> {
  await processorMs(() => work(size / 4));
  let small = Infinity;
  let large = Infinity;
  for (let done = 0; done < tries; done++) {
    small = Math.min(small, await processorMs(() => work(size)));
    large = Math.min(large, await processorMs(() => work(4 * size)));
    if (large / Math.max(small, noiseMs) <= clearlyLinear) break;
  }
  return large / Math.max(small, noiseMs);
}

async function processorMs(work: () => unknown): Promise<number> {
  const { user } = process.cpuUsage();
  await work();
  return (process.cpuUsage().user - user) / 1_000;
}
