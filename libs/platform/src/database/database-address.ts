/** Where PostgreSQL is. Both URLs are the same one, unless a pooler stands before it. */
export interface DatabaseAddress {
  /** For ordinary transactions: the connections of the pool. */
  readonly url: string;
  /** For what needs a session of its own: LISTEN, session locks, migrations, the queues. */
  readonly directUrl: string;
}

/** A pooler in transaction mode lends a session for one transaction: no startup options, no prepared statements. */
export const hasPooler = ({ url, directUrl }: DatabaseAddress): boolean => url !== directUrl;

/** How sessions outside the pool reach PostgreSQL: never by way of a pooler. */
export class DirectConnection {
  constructor(readonly url: string) {}
}
