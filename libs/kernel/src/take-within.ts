/**
 * Waits for what `take` grants, at most `maxWaitMs`, and then throws the refusal. `take` must reject with the reason of
 * its signal.
 *
 * A caller on a hot path asks `takeAtOnce` first: that needs no timer.
 */
export async function takeWithin<Grant>(
  maxWaitMs: number,
  refusal: () => Error,
  take: (signal: AbortSignal) => Promise<Grant>,
): Promise<Grant> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(refusal()), maxWaitMs);
  try {
    return await take(giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
}
