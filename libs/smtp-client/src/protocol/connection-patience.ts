import type { TransactionProgress } from './transaction-progress.js';

/** How long a host may keep us waiting while other mail waits for the memory of this content. */
const stallMs = 5_000;
const crowdedStallMs = 30_000;
/** The same for content that waits behind a message that awaits its reply. */
const followingStallMs = 60_000;

export const tooSlow = 'given up, because other mail waited for the memory that this message took,';
const crowded = 'given up, because other hosts waited for a connection,';

/** Why a host that has kept us waiting for `waitedMs` is given up before its deadline; undefined if it is not. */
export function impatienceWith(
  current: TransactionProgress | undefined,
  following: TransactionProgress | undefined,
  waitedMs: number,
  isCrowded: () => boolean,
): string | undefined {
  if (waitedMs >= stallMs && current?.transaction.holdsUpOthers === true) return tooSlow;
  if (waitedMs >= followingStallMs && following?.transaction.holdsUpOthers === true) return tooSlow;
  const mayEnd = current !== undefined && !current.isEndSent;
  return waitedMs >= crowdedStallMs && mayEnd && isCrowded() ? crowded : undefined;
}
