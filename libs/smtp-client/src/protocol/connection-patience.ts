import type { TransactionProgress } from './transaction-progress.js';

/** How long a host may leave us waiting while other mail waits for the memory of this content, and for the connection. */
const stallMs = 5_000;
const crowdedStallMs = 30_000;
/** The same for content that waits behind a message that awaits its reply. */
const followingStallMs = 60_000;

export const tooSlow = 'given up, because other mail waited for the memory that this message took,';
const crowded = 'given up, because other hosts waited for a connection,';

/** Why a host that has left us waiting for so long is given up before its time; undefined where it is not. */
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
