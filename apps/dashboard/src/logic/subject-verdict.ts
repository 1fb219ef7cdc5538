interface Tried {
  readonly score: number | null;
  readonly delivered: number;
}

interface Results<Reason extends string> {
  readonly subjects: readonly Tried[];
  readonly winner: { readonly index: number; readonly chosen_by: Reason } | null;
}

/**
 * What is said of a test of subjects: a word of `broadcasts:subjects`. The server always names a winner, of equal ones the first, which
 * nobody should take for a verdict of the readers.
 */
export function subjectVerdict<Reason extends string>({
  subjects,
  winner,
}: Results<Reason>): 'early' | 'open' | 'nobody' | 'equal' | `wonBy.${Reason}` {
  if (winner === null) return subjects.every(({ delivered }) => delivered > 0) ? 'open' : 'early';
  const best = subjects[winner.index]?.score ?? 0;
  if (best === 0) return 'nobody';
  const isTie = subjects.some(({ score }, index) => index !== winner.index && (score ?? 0) >= best);
  return isTie ? 'equal' : `wonBy.${winner.chosen_by}`;
}
