import { Transaction } from '#kernel';
import { DateTrigger } from '../../domain/trigger.js';

/** A trigger of an enabled automation that begins on a date of its contacts. It is locked until the transaction ends. */
export interface WatchedDate {
  readonly id: string;
  readonly teamId: string;
  readonly automationId: string;
  readonly trigger: DateTrigger;
  /** For contacts whose zone is not known. */
  readonly timeZone: string | null;
}

/** When a run begins for a contact. */
export interface DateOfContact {
  readonly contactId: string;
  /** Such as `2026-07-01`. */
  readonly date: string;
  readonly dueAt: Date;
}

/** A date that has come. */
export interface DueDate extends DateOfContact {
  readonly teamId: string;
  readonly watched: Omit<WatchedDate, 'teamId'>;
}

/**
 * Stores on which dates runs begin: one row for each trigger and contact with a date to come. The dates of a contact
 * are computed when its trigger is new, when the contact has changed, and when a date has passed. What has come is found
 * by an index.
 */
export abstract class DateQueue {
  /** A trigger whose contacts have not all been read, whose turn it is, and the contact behind which to go on. */
  abstract unscanned(
    transaction: Transaction,
  ): Promise<{ readonly watched: WatchedDate; readonly after: string | undefined } | undefined>;

  /** @param after the last contact that was read; undefined: all have been. */
  abstract scanned(triggerId: string, after: string | undefined, now: Date, transaction: Transaction): Promise<void>;

  /** Takes contacts that have changed, at most `limit`, teams in turn: by team. */
  abstract takeChanged(limit: number, transaction: Transaction): Promise<ReadonlyMap<string, readonly string[]>>;

  /** The triggers of a team. */
  abstract watchedOf(teamId: string, transaction: Transaction): Promise<readonly WatchedDate[]>;

  /** The dates of contacts for a trigger, also those that have come and not begun yet. */
  abstract datesOf(
    triggerId: string,
    contactIds: readonly string[],
    transaction: Transaction,
  ): Promise<readonly DateOfContact[]>;

  /** Replaces the dates of contacts for a trigger. Contacts without one have none any more. */
  abstract write(
    watched: WatchedDate,
    contactIds: readonly string[],
    dates: readonly DateOfContact[],
    transaction: Transaction,
  ): Promise<void>;

  /**
   * Takes dates that have come, at most `limit`, teams in turn. Those of triggers that are gone are removed and left out. The
   * contacts of dates that come again count as changed.
   */
  abstract takeDue(now: Date, limit: number, transaction: Transaction): Promise<readonly DueDate[]>;

  /** Removes some dates of triggers that are gone. Returns whether there may be more. */
  abstract tidy(): Promise<boolean>;
}
