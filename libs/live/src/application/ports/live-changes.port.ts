import type { Principal } from '#identity';
import type { LivePosition } from '../../domain/live-event.js';

/** What one transaction changed of one team. */
export interface LiveChange {
  /** Number of the transaction. */
  readonly xid: bigint;
  readonly teamId: string;
  /** `emails`, or `events` for events of the team that belong to no email. */
  readonly topic: string;
  /** Ids of emails, or types of events. Undefined if there are too many to name. */
  readonly names: readonly string[] | undefined;
}

export interface LiveReading {
  readonly position: LivePosition;
  /** By team that is watched: since when, in ms since 1970, and whether by this source. */
  readonly watches: ReadonlyMap<string, { readonly since: number; readonly isOwn: boolean }>;
  readonly changes: readonly LiveChange[];
  /** More changes than one reading returns: which ones is unknown. */
  readonly isCut: boolean;
}

/** The changes that transactions note down for teams that somebody watches. They are kept for a minute. */
export abstract class LiveChanges {
  /**
   * From now on transactions note down the changes of these teams, until `forMs` have passed. Ends those of earlier
   * calls.
   */
  abstract watch(sourceId: string, teamIds: readonly string[], forMs: number): Promise<void>;

  /** The changes of these teams that are not known at `from`. Without it only the present position. */
  abstract read(sourceId: string, teamIds: readonly string[], from: LivePosition | undefined): Promise<LiveReading>;

  /**
   * For each principal, in order: whether it could open its stream again, because its key, session, grant and
   * membership are in force. True for all of them while the database is away.
   */
  abstract mayStillWatch(openers: readonly Principal[]): Promise<readonly boolean[]>;

  /** Removes changes that nobody resumes from any more, and watches of processes that have died. */
  abstract prune(): Promise<void>;
}

/** An email as lists show it. `shown` is sent to clients unchanged. */
export interface WatchedEmail {
  readonly teamId: string;
  readonly shown: object;
}

/** The present state of emails that have changed. */
export abstract class WatchedEmails {
  /** Unknown ids are absent. */
  abstract load(ids: readonly string[]): Promise<readonly WatchedEmail[]>;
}
