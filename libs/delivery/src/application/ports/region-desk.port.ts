import type { MovedDomain } from '#domains';
import { RegionPresence } from '../../domain/stand-ins.js';

export interface MovedMail {
  /** Ids of the domains with recipients in former regions, also such that a worker has in hand. */
  readonly found: readonly string[];
  /** There are more recipients in these lanes than were looked at. */
  readonly isCut: boolean;
  readonly moved: number;
  /** The last lane examined; undefined if no lane follows it. */
  readonly lookedAt: string | undefined;
}

/** The workers of each region, and the mail that waits in it. */
export abstract class RegionDesk {
  /** The regions of which a worker was ever seen. `areServed` while a worker is alive that sends for all regions. */
  abstract presences(): Promise<{ readonly presences: readonly RegionPresence[]; readonly areServed: boolean }>;

  /**
   * Moves mail of domains that waits in the next `lanes` lanes after `after`, by name, and not in the region from which the
   * domain sends now: some thousands of recipients at once. Holds no lock beyond its statement.
   */
  abstract moveWaiting(domains: readonly MovedDomain[], after: string, lanes: number): Promise<MovedMail>;
}
