import { Payload } from '../../domain/event-definition.js';
import { EndedCall } from '../../domain/run.js';

export interface StepCall {
  readonly teamId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How it was answered. */
export interface StepAnswer {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The body; undefined if it is larger than 64 KB. */
  readonly body: string | undefined;
  /** Why there was no answer. */
  readonly error: string | null;
  /** Whether trying again would not help. */
  readonly isFinal: boolean;
}

/**
 * Calls a URL that a customer has chosen. Never throws for anything the remote side did. Resolves within some seconds,
 * whatever the host does.
 */
export abstract class StepCaller {
  abstract call(call: StepCall): Promise<StepAnswer>;
}

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

/** Secrets with which the calls of a team are signed. */
export interface CallSecrets {
  readonly current: string;
  /** For a while after a new secret. */
  readonly previous: string | undefined;
}

/** Stores the secrets of all teams, encrypted. A team has one from when it first needs it. */
export abstract class CallSecretRepository {
  abstract of(teamId: string, now: Date): Promise<CallSecrets>;

  /** Replaces the secret. The one before it, if there is one, signs as well until a time. */
  abstract rotate(teamId: string, secret: string, previousUntil: Date): Promise<void>;

  /** Encrypts all secrets with the present key of the service. */
  abstract reseal(): Promise<void>;
}
