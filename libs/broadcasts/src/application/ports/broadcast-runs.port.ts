import { MembersQuery } from '#audience';
import { Transaction } from '#kernel';
import { FirstShare } from '../../domain/broadcast.js';
import { ShareState } from '../../domain/fan-out/first-share.js';
import { PauseReason, SkipReason } from '../../domain/fan-out/skip-reasons.js';
import { Pace } from '../../domain/fan-out/throttle.js';
import { AudiencePlan } from '../../domain/fan-out/waves.js';

/**
 * The next thing to do for a broadcast that is being sent: fix its audience, send a slice, decide what becomes of the contacts that
 * wait, or finish.
 */
export interface BroadcastWork {
  readonly kind: 'plan' | 'slice' | 'decide' | 'finish';
  readonly broadcastId: string;
  readonly teamId: string;
  /** Emails per hour at most; absent or null: any number. It does not change while the broadcast is sent. */
  readonly perHour?: number | null;
  /** What must hold while the first share is sent; absent or null: there is none, or it is over. */
  readonly firstShare?: FirstShare | null;
}

/** The work of a slice whose emails have been accepted. */
export interface AcceptedWork extends BroadcastWork {
  readonly domainId: string;
  /** It tries several subjects, whose recipients are told apart. */
  readonly hasTest: boolean;
}

/** Contacts that are the next of one part of a wave. The part is locked until the transaction ends. */
export interface Slice {
  readonly broadcastId: string;
  readonly wave: number;
  readonly part: number;
  readonly contactIds: readonly string[];
  /** Index of the subject of each contact. */
  readonly variants: readonly number[];
  /** Nothing of the part is left behind this slice. */
  readonly isLast: boolean;
  /** Set where the broadcast is throttled. */
  readonly pace?: Pace;
}

/** What became of a contact of a slice. Deleted contacts leave no row. One that is suppressed has an email that goes nowhere. */
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

/**
 * How far the broadcasts of all teams have come. The lock of a part of a wave, which a slice holds until its transaction ends, is
 * what keeps two workers from sending the same slice: it ends with the process, and nothing needs to be renewed.
 */
export abstract class BroadcastRuns {
  /**
   * The broadcasts that have work now, the team first that has waited longest. They are not locked: another worker may be faster.
   */
  abstract next(now: Date): Promise<readonly BroadcastWork[]>;

  /** Makes a broadcast known, any number of times, before its audience is fixed. */
  abstract register(work: BroadcastWork): Promise<void>;

  /**
   * Begins to fix the audience. Locks the run until the transaction ends. False where another worker does it, or the audience is
   * fixed already.
   */
  abstract begin(work: BroadcastWork, transaction: Transaction): Promise<boolean>;

  /**
   * Writes the audience down in one statement, as it is at that moment: one row per contact, divided as the plan says. Returns the
   * number of contacts.
   */
  abstract plan(
    work: BroadcastWork,
    members: MembersQuery,
    plan: AudiencePlan,
    now: Date,
    transaction: Transaction,
  ): Promise<number>;

  /** The number of the first parameter of the query of `plan`. */
  abstract readonly firstMembersParameter: number;

  /**
   * Locks the next contacts of a broadcast that is `queued`. One that is paused or canceled from then on still gets this slice.
   * Undefined where there are none, or others have them, or its throttle lets none go now.
   */
  abstract claim(work: BroadcastWork, limit: number, now: Date, transaction: Transaction): Promise<Slice | undefined>;

  /** Writes what became of a slice, and moves behind it. Sends its statements before it waits for anything. */
  abstract record(
    work: AcceptedWork,
    slice: Slice,
    results: readonly SliceResult[],
    now: Date,
    transaction: Transaction,
  ): Promise<void>;

  /** Undefined where nothing waits for a decision. */
  abstract undecided(broadcastId: string): Promise<Undecided | undefined>;

  /** Sets when it is decided. */
  abstract decideAt(broadcastId: string, at: Date): Promise<void>;

  /** How many of those who got each subject have opened or clicked, without machines. */
  abstract scores(broadcastId: string, kind: 'opened' | 'clicked', variants: number): Promise<readonly number[]>;

  /** Lets the contacts go that wait, with the subject that has won. */
  abstract release(
    broadcastId: string,
    winner: { readonly variant: number; readonly scores: readonly number[] } | undefined,
    now: Date,
  ): Promise<void>;

  /** Ends a broadcast none of whose contacts is left. False where it is not so. */
  abstract finish(broadcastId: string, now: Date): Promise<boolean>;

  /** Pauses a broadcast that is being sent. It resumes itself at `retryAt`, where that is given. */
  abstract pause(broadcastId: string, reason: PauseReason, retryAt: Date | null, now: Date): Promise<void>;

  /** Resumes broadcasts that paused themselves until now. Returns how many. */
  abstract resumeHeld(now: Date): Promise<number>;

  /** Notes an unexpected error, so that others are worked on first. Returns how many there were since the last slice. */
  abstract trouble(broadcastId: string, now: Date): Promise<number>;

  /** Removes rows that only a running broadcast needs. False where nothing was left. */
  abstract tidy(): Promise<boolean>;
}
