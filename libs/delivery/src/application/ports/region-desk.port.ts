import type { MovedDomain } from '#domains';
import { RegionPresence } from '../../domain/stand-ins.js';

export interface MovedMail {
  /** Recipients of the domains in former regions, those among them that a worker has in hand. */
  readonly found: number;
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
