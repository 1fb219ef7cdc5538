import { Transaction } from '#kernel';
import { FirstShare } from '../../domain/broadcast.js';
import { PauseReason, ShareState, SkipReason } from '../../domain/fan-out/reasons.js';
import { Pace } from '../../domain/fan-out/throttle.js';
import { AudiencePlan } from '../../domain/fan-out/waves.js';

/** The next step of a broadcast that is being sent: see `FanOutBroadcasts`. */
export interface BroadcastWork {
  readonly kind: 'plan' | 'slice' | 'decide' | 'finish' | 'withdraw';
  readonly broadcastId: string;
  readonly teamId: string;
  /** Emails per hour at most; absent or null: any number. It does not change while the broadcast is sent. */
  readonly perHour?: number | null;
  /** The limits while the first share is sent; absent or null: there is none, or it is over. */
  readonly firstShare?: FirstShare | null;
}

/** The work of a slice whose emails have been accepted. */
export interface AcceptedWork extends BroadcastWork {
  readonly domainId: string;
  /** It tries several subjects, whose recipients are told apart. */
  readonly hasTest: boolean;
}

/** The next contacts of one part of a wave. The part is locked until the transaction ends. */
export interface Slice {
  readonly broadcastId: string;
  readonly wave: number;
  readonly part: number;
  readonly contactIds: readonly string[];
  /** Index of the subject of each contact. */
  readonly variants: readonly number[];
  /** No contact of the part comes after this slice. */
  readonly isLast: boolean;
  /** Set if the broadcast is throttled. */
  readonly pace?: Pace;
}

/**
 * The outcome for a contact of a slice. Deleted contacts leave no row. The email of a suppressed one is never
 * delivered.
 */
export type SliceResult = { readonly contactId: string } & (
  | { readonly email: string; readonly emailId: string; readonly reason?: 'suppressed' }
  | { readonly email: string; readonly reason: Exclude<SkipReason, 'suppressed'> }
  | { readonly reason: 'deleted' }
);

/** Whether the contact gets an email. */
export function isSent(result: SliceResult): boolean {
  return 'emailId' in result && result.reason === undefined;
}

/** The state of a broadcast of which a part of the audience still waits. */
export interface Undecided extends ShareState {
  /** Null until the first wave is over. */
  readonly decideAt: Date | null;
}

/** The subject of a test that has won, and the score of each subject. */
export interface Winner {
  readonly variant: number;
  readonly scores: readonly number[];
}

/**
 * Stores how far the broadcasts of all teams have come. A slice locks its part of a wave until its transaction ends, so
 * that two workers never send the same slice. The lock ends with the process, and nothing needs to be renewed.
 */
export abstract class BroadcastRuns {
  /**
   * The broadcasts that have work now, the team first that has waited longest. They are not locked: another worker may
   * be faster.
   */
  abstract next(now: Date): Promise<readonly BroadcastWork[]>;

  /**
   * Broadcasts whose first share was sent and whose rest waits for a time that has not come: the next ones after
   * `after` by id, or the first ones.
   */
  abstract waitingShares(now: Date, after: string | undefined, limit: number): Promise<readonly BroadcastWork[]>;

  /**
   * Writes the members of the segment down in one statement, as they are at that moment: one row per contact, divided
   * as the plan says. Returns how many there are; `taken` if another worker does it or has done it, or the broadcast is
   * not `queued` any more.
   */
  abstract fixAudience(
    work: BroadcastWork,
    segmentId: string,
    plan: AudiencePlan,
    now: Date,
  ): Promise<number | 'taken' | 'no segment'>;

  /** The names of all time zones, including earlier ones such as `Asia/Calcutta`. */
  abstract timeZones(): Promise<readonly string[]>;

  /**
   * Locks the next contacts of a broadcast that is `queued`. If it is paused or canceled from then on, this slice is
   * still sent. Undefined if there are none, if others have locked them, or if the throttle lets none go now.
   */
  abstract claim(work: BroadcastWork, limit: number, now: Date, transaction: Transaction): Promise<Slice | undefined>;

  /** Writes the outcomes of a slice and moves behind it. Sends its statements before it waits for anything. */
  abstract record(
    work: AcceptedWork,
    slice: Slice,
    results: readonly SliceResult[],
    now: Date,
    transaction: Transaction,
  ): Promise<void>;

  /** Undefined if nothing waits for a decision. */
  abstract undecided(broadcastId: string): Promise<Undecided | undefined>;

  /** Sets when it is decided, once. */
  abstract decideAt(broadcastId: string, at: Date): Promise<void>;

  /** How many contacts have opened or clicked each subject, without machines. */
  abstract scores(broadcastId: string, kind: 'opened' | 'clicked', variants: number): Promise<readonly number[]>;

  /** Releases the contacts that wait, with the subject that has won, unless the broadcast has been paused. */
  abstract release(broadcastId: string, winner: Winner | undefined, now: Date): Promise<void>;

  /** Marks the broadcast as sent if no contact is left. Returns whether it did. */
  abstract finish(broadcastId: string, now: Date): Promise<boolean>;

  /**
   * Pauses a broadcast that is being sent. It resumes itself at `retryAt` if that is given. With `first_share_sent` the
   * same transaction records that resuming it releases the rest.
   */
  abstract pause(broadcastId: string, reason: PauseReason, retryAt: Date | null, now: Date): Promise<void>;

  /** Resumes broadcasts that paused themselves until now. Returns how many. */
  abstract resumeHeld(now: Date): Promise<number>;

  /** Counts an unexpected error, and lets others go first. Returns how many there were since the last slice. */
  abstract trouble(broadcastId: string, now: Date): Promise<number>;

  /** Removes a batch of rows that only a running broadcast needs. Returns whether there were any. */
  abstract tidy(): Promise<boolean>;
}
