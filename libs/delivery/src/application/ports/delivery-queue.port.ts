import { Transaction } from '#kernel';
import { LaneReport } from '../../domain/lane-limits.js';
import { ClaimedRecipient, FinishedAttempt } from '../../domain/finished-attempt.js';

export interface TeamsTurn {
  readonly claimed: readonly ClaimedRecipient[];
  /** The last team looked at; undefined where there are none behind it. */
  readonly lookedAt: string | undefined;
}

export interface LanesWithWork {
  /** Those that have something due that nobody has claimed, except paused ones and those that another living worker has. */
  readonly lanes: readonly { readonly name: string; readonly teamId: string }[];
  /** The last one looked at; undefined where there are none behind it. */
  readonly lookedAt: string | undefined;
}

/**
 * The recipients still to be delivered, and who is delivering them.
 *
 * A lane belongs to one worker at a time, which keeps the lane's limits without asking anyone. What a worker holds
 * returns to the queue as soon as the worker counts as dead. No method keeps a lock beyond its own statement.
 */
export abstract class DeliveryQueue {
  /** Makes the worker known and alive. To be repeated well within `forgetDeadWorkers`' limit. */
  abstract beat(workerId: string): Promise<void>;

  /**
   * Returns what dead workers held, each attempt of theirs logged as of unknown outcome. A worker is dead once its heartbeat
   * is older than `silentForMs` and it has left the database, or is older than `frozenForMs`, where that is given; the one
   * that asks never is. The caller has reached the database without a break for `silentForMs`, so that the others could do so
   * too. Resolves with the number of recipients returned.
   */
  abstract forgetDeadWorkers(
    askingWorkerId: string,
    silentForMs: number,
    frozenForMs: number | undefined,
  ): Promise<number>;

  /** For a program that is alone on its database: whoever else is known there is dead. */
  abstract forgetOtherWorkers(workerId: string): Promise<number>;

  /**
   * The worker stops: its lanes and what it still holds return at once. It holds what is under way yet, or what ended and
   * could not be written down: both are logged as of unknown outcome.
   */
  abstract retire(workerId: string): Promise<void>;

  /** False where another living worker has the lane, or where this one is not known: it has to beat first. */
  abstract takeLane(lane: string, workerId: string): Promise<boolean>;

  /** Gives up a lane of which the worker holds nothing any more. */
  abstract leaveLane(lane: string, workerId: string): Promise<void>;

  /**
   * Gives up a lane after trouble of the database. Every outcome has been written: what the worker still holds was never
   * tried, and waits on, due as it was.
   */
  abstract returnLane(lane: string, workerId: string): Promise<void>;

  /**
   * Gives up a lane whose outcomes could not all be written. Nothing of it is under way, but what the worker still holds
   * may have been delivered: it is logged as of unknown outcome and waits a while.
   */
  abstract abandonLane(lane: string, workerId: string): Promise<void>;

  /**
   * Takes what is due, longest due first, at most `limit`; mail that was never tried has three quarters of the room where
   * there are retries as well, so that neither waits for all of the other. Empty where the lane is paused. After a pause
   * it takes one recipient as a probe, and as many more as have waited beyond the retry horizon. Also empty while outcomes
   * of this worker cannot be written. Undefined where the worker no longer has the lane.
   */
  abstract claim(lane: string, workerId: string, limit: number): Promise<readonly ClaimedRecipient[] | undefined>;

  /**
   * Takes some of what is due of each of the next teams behind the one given, from the first where it is undefined: for
   * lanes in which more is due than one claim takes, so that no team waits for all that another sent before. Nothing where the
   * lane is paused. Undefined where the worker no longer has the lane.
   */
  abstract claimInTurns(lane: string, workerId: string, afterTeam: string | undefined): Promise<TeamsTurn | undefined>;

  /** What was claimed and never tried waits on, due as it was. */
  abstract giveBack(workerId: string, recipients: readonly ClaimedRecipient[]): Promise<void>;

  /** The lane's site is down: nobody claims of it for a while, longer with each time in a row. */
  abstract pause(lane: string, reason: string): Promise<void>;

  /** The lane's site is up again. */
  abstract resume(lane: string): Promise<void>;

  /** Says of lanes of the worker what holds them back, or that nothing does. Of lanes that are not its own, nothing. */
  abstract report(
    workerId: string,
    reports: readonly { readonly lane: string; readonly report: LaneReport | undefined }[],
  ): Promise<void>;

  /**
   * Looks at the next `limit` lanes behind the one named `after`, by name, whatever they wait for; from the first where it
   * is undefined. The cost grows with the lanes looked at, not with the lanes or the mail that wait.
   */
  abstract lanesWithWork(workerId: string, after: string | undefined, limit: number): Promise<LanesWithWork>;

  /**
   * Ends attempts: what is final leaves the queue, the rest waits for its time. Responses with the attempts that counted;
   * those whose lease has passed to somebody else change nothing.
   */
  abstract settle(
    workerId: string,
    attempts: readonly FinishedAttempt[],
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]>;
}
