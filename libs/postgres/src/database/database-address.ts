/** The address of PostgreSQL. Both URLs are the same, unless there is a pooler in front of it. */
export interface DatabaseAddress {
  /** For ordinary transactions: the connections of the pool. */
  readonly url: string;
  /** For everything that needs its own session: LISTEN, session locks, migrations, the queues. */
  readonly directUrl: string;
  /** A standby that answers what requests search and count. */
  readonly readUrl?: string | undefined;
}

/** A pooler in transaction mode gives a session for one transaction only: no startup options, no prepared statements. */
export const hasPooler = ({ url, directUrl }: DatabaseAddress): boolean => url !== directUrl;

/** The URL for sessions outside the pool, which never use a pooler. */
export class DirectConnection {
  constructor(readonly url: string) {}
}
