const isLong = process.env.TEST_LONG !== undefined;

/** How often, or with what, a test does what it does: less in the gate than in the long run, `TEST_LONG=1` (`.ci/long`). */
export const rounds = <Count>(inGate: Count, long: Count): Count => (isLong ? long : inGate);

/** Pages that are looked at in two looks: in the gate each of them in one, in the long run in both. */
export function pagesOf(scheme: 'light' | 'dark', paths: readonly string[]): string[] {
  return isLong ? [...paths] : paths.filter((_, no) => (no % 2 === 0) === (scheme === 'light'));
}
