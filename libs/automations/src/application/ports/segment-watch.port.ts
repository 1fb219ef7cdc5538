/** A segment with a filter with which automations begin. */
export interface WatchedSegment {
  readonly segmentId: string;
  readonly teamId: string;
}

/**
 * Stores who is in the segments with filters with which automations begin. A filter is a question: only what it has
 * answered before tells who has entered since.
 */
export abstract class SegmentWatch {
  /** Leases the segment that has waited longest among those that are due. Undefined: none is. */
  abstract lease(now: Date): Promise<WatchedSegment | undefined>;

  /**
   * Evaluates the filter once, and makes events of the contacts that match and did not match before. The first time, nobody
   * has entered. Returns whether some contacts are left for the next time.
   */
  abstract follow(segment: WatchedSegment, now: Date): Promise<boolean>;

  /** Releases the lease. The segment is due again at a time. */
  abstract release(segment: WatchedSegment, dueAt: Date): Promise<void>;

  /** Whether an automation begins with the segment. */
  abstract isWatched(segment: WatchedSegment): Promise<boolean>;

  /**
   * Removes a portion of what is known of a segment, and at the end the segment, if no automation begins with it
   * meanwhile or `isForGood`. Returns whether there may be more.
   */
  abstract forget(segment: WatchedSegment, isForGood: boolean, now: Date): Promise<boolean>;
}
