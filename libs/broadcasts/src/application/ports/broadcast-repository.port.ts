import { PageRequest, Transaction } from '#kernel';
import { BroadcastFilter, BroadcastsPage } from '../../domain/broadcast-filter.js';
import { Broadcast } from '../../domain/broadcast.js';

/** Stores the broadcasts of all teams. */
export abstract class BroadcastRepository {
  abstract insert(broadcast: Broadcast, transaction: Transaction): Promise<void>;

  abstract find(teamId: string, id: string): Promise<Broadcast | undefined>;

  /**
   * Newest first. Bodies are left out: `html` and `text` are null. With a filter it looks through a bounded number of broadcasts, and says
   * in `next` where to go on.
   */
  abstract list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage>;

  /** Locks the broadcast until the transaction ends. */
  abstract lock(teamId: string, id: string, transaction: Transaction): Promise<Broadcast | undefined>;

  /** Writes a locked broadcast. One that is not paused any more forgets why it was. */
  abstract update(broadcast: Broadcast, transaction: Transaction): Promise<void>;

  /** Deletes a locked broadcast that has no recipients yet. */
  abstract delete(broadcast: Broadcast, transaction: Transaction): Promise<void>;

  /** Locks scheduled broadcasts that are due until the transaction ends, without those that someone else has locked. */
  abstract lockDue(now: Date, limit: number, transaction: Transaction): Promise<readonly Broadcast[]>;
}
