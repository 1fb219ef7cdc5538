import type { Domain } from '#domains';

/** A blocklist has the domain, or an address that its mail leaves from. */
export interface Listing {
  readonly subject: string;
  readonly kind: 'domain' | 'address';
  readonly list: string;
  readonly codes: readonly string[];
  /** What the list says, on one line; empty if it says nothing. */
  readonly reason: string;
  /** When this process saw it first. */
  readonly since: Date;
}

export interface Listings {
  readonly listed: readonly Listing[];
  /** Questions that were answered. */
  readonly answered: number;
  /** Questions without an answer so far, and questions that a list refused. */
  readonly unanswered: number;
}

/** Tells whether blocklists of the operator's choice have a domain, or the addresses that it sends from. */
export abstract class DomainListings {
  /**
   * Undefined if no list is configured. Answers are kept for hours. Waits for new ones for a second or two: what comes
   * later is there the next time.
   */
  abstract of(domain: Domain): Promise<Listings | undefined>;
}
