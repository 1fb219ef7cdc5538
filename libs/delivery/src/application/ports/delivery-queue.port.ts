import { Transaction } from '#kernel';
import { ClaimedRecipient, FinishedAttempt } from '../../domain/attempt.js';
import { LaneReport } from '../../domain/lane-limits.js';
import { EmailTrace } from '../../domain/recipient-trace.js';

export interface Claim {
  readonly claimed: readonly ClaimedRecipient[];
  /** Whether bulk mail of the lane is due that no worker has claimed. */
  readonly isBulkDue: boolean;
}

export interface TeamsTurn {
  readonly claimed: readonly ClaimedRecipient[];
  /** The last team examined; undefined if no team follows it. */
  readonly lookedAt: string | undefined;
}

export interface LanesWithWork {
  /** Lanes with due recipients that no worker has claimed, without paused lanes and lanes of another live worker. */
  readonly lanes: readonly { readonly name: string; readonly teamId: string }[];
  /** The last lane examined; undefined if no lane follows it. */
  readonly lookedAt: string | undefined;
}

/** Whose mail moves to another lane. */
export interface MovedSender {
  readonly teamId: string;
  readonly domainId: string;
  readonly isBulk: boolean;
  readonly recipientDomain: string;
  readonly to: string;
}

/**
 * The recipients that are still to be delivered, and the workers that deliver them.
 *
 * A lane belongs to one worker at a time, which keeps the lane's limits without asking others. Recipients that a worker
 * holds return to the queue once the worker is dead. No method keeps a lock beyond its own statement.
 */
export abstract class DeliveryQueue {
  /**
   * Writes a heartbeat of the worker, and registers it with the first. To be repeated well within `silentForMs` of
   * `forgetDeadWorkers`.
   */
  abstract heartbeat(workerId: string): Promise<void>;

  /**
   * Returns to the queue all recipients that dead workers held, and logs each of their attempts as of unknown outcome.
   * Resolves with the number of recipients.
   *
   * A worker is dead once its heartbeat is older than `silentForMs` and its database session has ended. If
   * `frozenForMs` is given, a worker is also dead once its heartbeat is older than that. The asking worker is never
   * dead. The caller guarantees that it has reached the database without a break for `silentForMs`, so that the others
   * could do so too.
   */
  abstract forgetDeadWorkers(
    askingWorkerId: string,
    silentForMs: number,
    frozenForMs: number | undefined,
  ): Promise<number>;

  /** For a program that is alone on its database: every other worker recorded there is dead. */
  abstract forgetOtherWorkers(workerId: string): Promise<number>;

  /**
   * For a worker that stops: releases its lanes and returns all recipients that it still holds. Those are under way, or
   * their outcome could not be written: both are logged as of unknown outcome.
   */
  abstract retire(workerId: string): Promise<void>;

  /**
   * Returns false if another live worker has the lane, or if this worker is not registered: it must send a heartbeat
   * first.
   */
  abstract acquireLane(lane: string, workerId: string): Promise<boolean>;

  /** Releases a lane of which the worker holds no recipients any more. */
  abstract releaseLane(lane: string, workerId: string): Promise<void>;

  /**
   * Releases a lane after a database error. Every outcome has been written: recipients that the worker still holds were
   * never tried and return to the queue with their due time unchanged.
   */
  abstract returnLane(lane: string, workerId: string): Promise<void>;

  /**
   * Releases a lane whose outcomes could not all be written. No delivery is under way, but recipients that the worker
   * still holds may have been delivered: they are logged as of unknown outcome and wait before the next attempt.
   */
  abstract abandonLane(lane: string, workerId: string): Promise<void>;

  /**
   * Claims at most `limit` due recipients of transactional mail, those due for longest first. If both new mail and
   * retries are due, new mail gets three quarters of the room, so that neither waits for all of the other.
   *
   * Claims nothing while the lane is paused, and while outcomes of this worker cannot be written. After a pause it claims
   * one recipient as a probe, and those that have waited beyond the retry horizon. Undefined if the worker no longer
   * has the lane.
   */
  abstract claim(lane: string, workerId: string, limit: number): Promise<Claim | undefined>;

  /**
   * Claims some due recipients of transactional mail of each of the next teams after `afterTeam`, or from the first team
   * if it is undefined. It is for lanes in which more is due than one claim takes, so that no team waits for all mail
   * that another team sent before. Empty while the lane is paused. Undefined if the worker no longer has the lane.
   */
  abstract claimInTurns(lane: string, workerId: string, afterTeam: string | undefined): Promise<TeamsTurn | undefined>;

  /**
   * Claims at most `limit` due recipients of bulk mail, in equal parts of the next teams after `afterTeam`, or from the
   * first team if it is undefined. In a paused lane as `claim`.
   */
  abstract claimBulk(
    lane: string,
    workerId: string,
    limit: number,
    afterTeam: string | undefined,
  ): Promise<TeamsTurn | undefined>;

  /** Whether transactional mail of the lane is due that no worker has claimed. */
  abstract isDue(lane: string): Promise<boolean>;

  /** Returns claimed recipients that were never tried. Their due time is unchanged. */
  abstract returnUntried(workerId: string, recipients: readonly ClaimedRecipient[]): Promise<void>;

  /** Returns claimed recipients that were never tried into another lane, where they wait with their due time unchanged. */
  abstract move(
    workerId: string,
    moves: readonly { readonly recipient: ClaimedRecipient; readonly to: string }[],
  ): Promise<void>;

  /** Moves recipients of a sender that wait in a lane and that no worker has claimed: some thousands at once. */
  abstract moveWaiting(lane: string, sender: MovedSender): Promise<void>;

  /**
   * The lane's site is down: no worker claims from the lane for a while. The pause grows with each failure in a row.
   */
  abstract pause(lane: string, reason: string): Promise<void>;

  /** The lane's site is up again. */
  abstract resume(lane: string): Promise<void>;

  /** Writes for each lane what holds it back; undefined clears it. Lanes that this worker does not have are ignored. */
  abstract report(
    workerId: string,
    reports: readonly { readonly lane: string; readonly report: LaneReport | undefined }[],
  ): Promise<void>;

  /**
   * Examines the next `limit` lanes by name after `after`, or from the first if it is undefined. The cost grows with
   * the number of lanes examined, not with the number of lanes or recipients that wait.
   */
  abstract lanesWithWork(workerId: string, after: string | undefined, limit: number): Promise<LanesWithWork>;

  /**
   * Ends attempts: recipients with a final outcome leave the queue, the others wait for their next attempt. Resolves
   * with the attempts that counted. An attempt whose lease has passed to another worker changes nothing.
   */
  abstract settle(
    workerId: string,
    attempts: readonly FinishedAttempt[],
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]>;
}

/** Shows the other workers that this one lives. */
export abstract class WorkerPresence {
  /** Writes one heartbeat. Rejects if it could not be written. */
  abstract heartbeat(): Promise<void>;

  /** Time since when no heartbeat has been missed, in ms. 0 if one is missing. */
  abstract get steadyForMs(): number;

  /** The worker is gone. No heartbeat follows. */
  abstract end(): void;
}

/** Writes a batch of ended attempts within the transaction. Resolves with those that counted. */
export type SettleBatch = (
  attempts: readonly FinishedAttempt[],
  now: Date,
  transaction: Transaction,
) => Promise<readonly FinishedAttempt[]>;

/** Makes the outcomes of attempts durable. Attempts that end at about the same time share a transaction. */
export abstract class OutcomeLog {
  /**
   * Returns the function that records an attempt. It resolves once the batch with this attempt is committed, and keeps the
   * attempt until then, however long the database is away. `settle` may run again for a batch that was committed before.
   */
  abstract inBatches(settle: SettleBatch): (attempt: FinishedAttempt) => Promise<void>;
}

export abstract class DeliveryTraces {
  /** The trace of the team's email. Undefined if the id does not exist or belongs to another team. */
  abstract find(teamId: string, emailId: string): Promise<EmailTrace | undefined>;
}
