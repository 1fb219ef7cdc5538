import { WorkPlaces } from '#kernel';

export interface DueWork {
  readonly emailId: string;
  readonly teamId: string;
  /** How often it has failed. */
  readonly failures: number;
  /** Whether `email.received` was written with the email. */
  readonly isAnnounced: boolean;
}

/** The emails on which actions must run, written in the transaction that stored them. */
export abstract class ReceivedWork {
  /**
   * Takes due work until `leaseUntil`, when it is due again: if the process dies, another one takes it then. Concurrent
   * callers never get the same work. Teams take turns, those that hold the fewest places first.
   */
  abstract take(now: Date, leaseUntil: Date, places: WorkPlaces): Promise<readonly DueWork[]>;

  /** The work is still being done. */
  abstract renew(emailId: string, leaseUntil: Date): Promise<void>;

  abstract done(emailId: string): Promise<void>;

  /** It is due again at `dueAt`; nothing has failed. */
  abstract later(emailId: string, dueAt: Date, reason: string): Promise<void>;

  /** As `later`, and counts a failure. */
  abstract failed(emailId: string, dueAt: Date, reason: string): Promise<void>;
}
