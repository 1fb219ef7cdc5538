import { PageRequest, Transaction } from '#kernel';
import { BroadcastFilter, BroadcastsPage } from '../../domain/broadcast-filter.js';
import { Broadcast } from '../../domain/broadcast.js';

/** The notification that wakes the workers of all processes: a broadcast is queued. The payload is its id. */
export const broadcastQueued = 'broadcast-queued';

/**
 * Stores the broadcasts of all teams. A transaction that writes a queued broadcast sends `broadcastQueued` at its
 * commit.
 */
export abstract class BroadcastRepository {
  abstract insert(broadcast: Broadcast, transaction: Transaction): Promise<void>;

  abstract find(teamId: string, id: string): Promise<Broadcast | undefined>;

  /**
   * Newest first. Bodies are left out: `html` and `text` are null. With a filter it looks through a bounded number of
   * broadcasts, and `next` says where to go on.
   */
  abstract list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage>;

  /** Locks the broadcast until the transaction ends. */
  abstract lock(teamId: string, id: string, transaction: Transaction): Promise<Broadcast | undefined>;

  /**
   * Writes a locked broadcast. If it is not paused any more, the reason of the pause goes. If it is queued, it goes on
   * at once, even if it was paused until a later time.
   */
  abstract update(broadcast: Broadcast, transaction: Transaction): Promise<void>;

  /** Deletes a locked broadcast that has no recipients yet. */
  abstract delete(broadcast: Broadcast, transaction: Transaction): Promise<void>;

  /**
   * Locks scheduled broadcasts that are due until the transaction ends, except those that another transaction has
   * locked.
   */
  abstract lockDue(now: Date, limit: number, transaction: Transaction): Promise<readonly Broadcast[]>;
}
