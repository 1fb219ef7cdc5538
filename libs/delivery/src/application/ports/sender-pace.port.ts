import { ClaimedRecipient } from '../../domain/attempt.js';
import { PacedLane } from '../../domain/lane-name.js';

/** Why mail of a paced lane waits. */
export interface PaceHold {
  readonly kind: 'reputation_guard' | 'warm_up';
  /** When more of it may go; null if nobody knows. */
  readonly until: Date | null;
  readonly reason: string;
}

/**
 * What slows the mail of single senders, beside the limits of sites: the guard of reputations, and the warm-up of new senders. Such mail
 * waits in lanes of its own (`PacedLane`), from which only as much is claimed as may go.
 */
export abstract class SenderPace {
  /**
   * The paced lane of each recipient that may not go at the pace of its site. Undefined if all may: the usual answer, at once and from
   * memory. Otherwise it may have to ask the DNS who receives the mail.
   */
  abstract pacedAmong(
    claimed: readonly ClaimedRecipient[],
  ): Promise<ReadonlyMap<ClaimedRecipient, PacedLane>> | undefined;

  /** Whether it is worth while to ask for mail of the lane. From memory, so it may be true for nothing. */
  abstract mayGo(lane: PacedLane): boolean;

  /** Whether bulk and transactional mail of the sender share what may go. Then transactional mail goes first. From memory. */
  abstract isShared(lane: PacedLane): boolean;

  /** Takes from what may go of the lane now, at most `wanted`. What was taken stays taken, also if the process ends. */
  abstract take(lane: PacedLane, wanted: number): Promise<number>;

  /** For what was taken and found no mail. */
  abstract giveBack(lane: PacedLane, count: number): Promise<void>;

  /** Why the lane waits; undefined if nothing slows it any more. */
  abstract holdOf(lane: PacedLane): Promise<PaceHold | undefined>;
}
