/** What an action on a received email came to. */
export interface RouteResult {
  readonly receivedId: string;
  /** Identifies the action among those of the email. */
  readonly key: string;
  readonly teamId: string;
  /** Null for the default. */
  readonly routeId: string | null;
  readonly action: 'webhook' | 'forward' | 'smtp' | 'lmtp';
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
  abstract add(result: RouteResult): Promise<void>;

  /** Those of the keys that have a result, also where its address was erased since. `keys` is bounded. */
  abstract doneAmong(receivedId: string, keys: readonly string[]): Promise<ReadonlySet<string>>;

  /** In the order in which they were added; at most some hundred. */
  abstract of(receivedId: string): Promise<readonly RouteResult[]>;
}
