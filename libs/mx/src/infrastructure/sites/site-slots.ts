/** Releases the slot. To be called once, when the connection is closed. */
export type SiteSlot = () => void;

/**
 * The connections that all workers together may have to a site. A worker takes a slot before it opens a connection.
 *
 * Slots are numbered from 0, and a worker takes one below the limit that it knows. Workers that know different limits
 * still count the same slots, so the total never exceeds the largest of these limits.
 */
export abstract class SiteSlots {
  /**
   * Waits for a free slot. Returns undefined when `isWanted` becomes false, or when the wait reaches the adapter's limit: the mail
   * then returns to its queue.
   */
  abstract take(site: string, limit: () => number, isWanted: () => boolean): Promise<SiteSlot | undefined>;
}

/** For a process that is the only worker: it has all connections, so no slots are needed. */
export class UnsharedSiteSlots extends SiteSlots {
  async take(): Promise<SiteSlot> {
    return () => undefined;
  }
}
