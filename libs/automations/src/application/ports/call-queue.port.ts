import { Payload } from '../../domain/event-definition.js';
import { EndedCall } from '../../domain/run.js';

/** A call that a run waits for, leased by this process. */
export interface LeasedCall {
  /** The same for all attempts. */
  readonly id: string;
  readonly teamId: string;
  readonly runId: string;
  readonly stepKey: string;
  readonly url: string;
  readonly body: Payload;
  /** Attempts that have begun, this one among them. */
  readonly attempts: number;
}

/** The notification that wakes the workers: a run has come to a call. The payload is empty. */
export const callsAreDue = 'automation_calls';

/**
 * Stores the calls that runs wait for. A call is made outside of any transaction: at least once, because a process may
 * die between the call and the record of it. The lease is a time in the row.
 */
export abstract class CallQueue {
  /**
   * Leases calls that are due, at most `limit`, teams in turn, and none of a team beyond its room. Calls of runs that do
   * not wait for them any more are removed.
   *
   * @param busy by team: calls that this process is making
   */
  abstract lease(
    now: Date,
    limit: number,
    busy: ReadonlyMap<string, number>,
    maxOfTeam: number,
  ): Promise<readonly LeasedCall[]>;

  /** Lets the run go on with how its call has ended. A run that does not wait for it any more stays as it is. */
  abstract end(call: LeasedCall, ended: EndedCall, now: Date): Promise<void>;

  /** The call is made again at a time. The run says why. */
  abstract retry(call: LeasedCall, because: string, at: Date): Promise<void>;
}
