import { Transaction, WorkPlaces } from '#kernel';

/** A received email that belongs into an inbox. */
export interface InboxArrival {
  readonly receivedId: string;
  readonly inboxId: string;
  readonly teamId: string;
  /** How often filing it has failed. */
  readonly failures: number;
}

/** Received emails that are not in their inboxes yet, written in the transaction that stored them. */
export abstract class ArrivalQueue {
  /**
   * Takes arrivals until `leaseUntil`, when they are due again. Concurrent callers never get the same one. Teams take
   * turns.
   */
  abstract take(now: Date, leaseUntil: Date, places: WorkPlaces): Promise<readonly InboxArrival[]>;

  abstract done(arrival: InboxArrival, transaction?: Transaction): Promise<void>;

  /** It failed, and is due again at `dueAt`. */
  abstract failed(arrival: InboxArrival, dueAt: Date): Promise<void>;
}
