import { Transaction } from '#kernel';

/** What an action on a received email came to. */
export interface RouteResult {
  readonly receivedId: string;
  /** Identifies the action among those of the email. */
  readonly key: string;
  readonly teamId: string;
  /** Null for the default. */
  readonly routeId: string | null;
  /** `automation`: automations of the team begin with mail of the route. */
  readonly action: 'webhook' | 'forward' | 'smtp' | 'lmtp' | 'automation';
  /** The address or host. */
  readonly target: string;
  readonly outcome: 'done' | 'refused' | 'loop' | 'not_possible';
  readonly detail: string | null;
  /** The email that passes it on. */
  readonly emailId: string | null;
  readonly createdAt: Date;
}

/** What the actions on received emails came to. An action with a result is not done again. */
export abstract class RouteResults {
  /**
   * Returns false, and keeps nothing, if the action has a result already. What an action writes into this database goes
   * into the same `transaction`: it is done once, wherever a process dies.
   */
  abstract add(result: RouteResult, transaction?: Transaction): Promise<boolean>;

  /** Those of the keys that have a result, also if its address was erased since. `keys` is bounded. */
  abstract doneAmong(receivedId: string, keys: readonly string[]): Promise<ReadonlySet<string>>;

  /** How many forwards of the team have ended since a moment, at most `limit`. */
  abstract forwardsSince(teamId: string, since: Date, limit: number): Promise<number>;

  /** In the order in which they were added; at most some hundred. */
  abstract of(receivedId: string): Promise<readonly RouteResult[]>;
}
