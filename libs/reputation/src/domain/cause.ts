import { wilsonInterval } from '#kernel';

/** What messages may have in common. */
export type CauseKind = 'broadcast' | 'segment' | 'template' | 'import';

/** Messages that have something in common, among those that were looked at. */
export interface Suspect {
  readonly kind: CauseKind;
  readonly id: string;
  readonly name: string;
  readonly bad: number;
  readonly all: number;
}

/** What was looked at: the newest messages to the provider. */
export interface LookedAt {
  readonly bad: number;
  readonly all: number;
  readonly suspects: readonly Suspect[];
}

/** What most of the bad outcomes have in common, and the other mail has not. */
export interface Cause extends Omit<Suspect, 'bad' | 'all'> {
  readonly bad: number;
  readonly all: number;
  /** In percent: of its messages, and of all others. */
  readonly percent: number;
  readonly othersPercent: number;
}

/** Part of all bad outcomes that a cause explains. */
const minExplained = 0.5;
const minBad = 5;
/** Where several explain the same, the first of these is the most telling. */
const kinds: readonly CauseKind[] = ['import', 'broadcast', 'segment', 'template'];

/**
 * The suspect that explains most: at least half of the bad outcomes, with a rate that is certainly higher than that of all other messages.
 * If nearly all messages have it in common, there is nothing to compare it with, and it is named because it is all there is.
 */
export function causeOf({ bad, all, suspects }: LookedAt): Cause | undefined {
  const found = suspects.flatMap((suspect): (Cause & { readonly lift: number })[] => {
    if (suspect.bad < minBad || suspect.bad < bad * minExplained) return [];
    const others = { bad: bad - suspect.bad, all: all - suspect.all };
    const own = wilsonInterval(suspect.bad, suspect.all);
    const isCertain = others.all > 0 && own.lower > wilsonInterval(others.bad, others.all).upper;
    const isAll = others.all < all * 0.05;
    if (!isCertain && !isAll) return [];
    const percent = (suspect.bad / suspect.all) * 100;
    const othersPercent = others.all === 0 ? 0 : (others.bad / others.all) * 100;
    return [{ ...suspect, percent, othersPercent, lift: isCertain ? percent - othersPercent : 0 }];
  });
  const [best] = found.sort(
    (a, b) => b.lift - a.lift || b.bad - a.bad || kinds.indexOf(a.kind) - kinds.indexOf(b.kind),
  );
  if (best === undefined) return undefined;
  const { lift: _lift, ...cause } = best;
  return cause;
}
