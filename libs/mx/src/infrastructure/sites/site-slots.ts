/** Gives the connection back. To be called once, when it is closed. */
export type SiteSlot = () => void;

/**
 * The connections that all workers together may have to a site: whoever wants to open one takes a slot first.
 *
 * Slots are numbered from 0, and a worker takes one below the limit that it believes in. Where workers have learnt
 * different limits they count the same slots all the same: the sum never exceeds the largest of them.
 */
export abstract class SiteSlots {
  /**
   * Waits until there is one. Undefined where nobody wants it any more, or there was none for so long that the mail had
   * better wait elsewhere.
   */
  abstract take(site: string, limit: () => number, isWanted: () => boolean): Promise<SiteSlot | undefined>;
}

/** For the only worker there is: what it opens is all that there is. */
export class UnsharedSiteSlots extends SiteSlots {
  async take(): Promise<SiteSlot> {
    return () => undefined;
  }
}
