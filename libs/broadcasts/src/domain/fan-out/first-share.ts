import { FirstShare } from '../broadcast.js';
import { PauseReason } from './skip-reasons.js';

/** What became of a first share up to now. */
export interface ShareState {
  /** All of it was accepted. */
  readonly isReady: boolean;
  readonly accepted: number;
  readonly delivered: number;
  readonly bounced: number;
  readonly complained: number;
  /** Why the broadcast has paused itself before: whoever resumed it has decided about that. */
  readonly pausedFor: readonly PauseReason[];
}

/** Before this number of emails has been delivered or has bounced, percentages of them say little. */
const minKnown = 100;

/**
 * Why a first share is held, while it is sent and while the rest waits: its bounces or complaints exceed a limit among the emails
 * that are known to have arrived or bounced, or, once all of it was accepted, among all of it.
 */
export function reasonToHold(
  { maxBouncePercent, maxComplaintPercent }: FirstShare,
  state: ShareState,
): PauseReason | undefined {
  const exceeded: PauseReason[] = [];
  if (exceeds(state.bounced, maxBouncePercent, state)) exceeded.push('too_many_bounces');
  if (exceeds(state.complained, maxComplaintPercent, state)) exceeded.push('too_many_complaints');
  return exceeded.find((reason) => !state.pausedFor.includes(reason));
}

function exceeds(count: number, percent: number, { isReady, accepted, delivered, bounced }: ShareState): boolean {
  const known = delivered + bounced;
  if (isReady && count * 100 > percent * accepted) return true;
  // Enough that a single one does not exceed the limit.
  return known >= minKnown && known * percent >= 100 * Math.sign(percent) && count * 100 > percent * known;
}
