/** An email as lists show it. `shown` is sent to clients unchanged. */
export interface WatchedEmail {
  readonly teamId: string;
  readonly shown: object;
}

/** The present state of emails that have changed. */
export abstract class WatchedEmails {
  /** Unknown ids are absent. */
  abstract load(ids: readonly string[]): Promise<readonly WatchedEmail[]>;
}
