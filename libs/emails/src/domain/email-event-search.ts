import type { EmailEventType } from '#events';
import type { Tag } from './email.js';

/** Which events of a team's emails are read, in the order in which they were written. */
export interface EventSearch {
  /** Empty: all types. */
  readonly types: readonly EmailEventType[];
  readonly domainId?: string;
  /** A whole address, in any case. */
  readonly recipient?: string;
  /** All tags of any of these sets. */
  readonly tags?: readonly (readonly Tag[])[];
  /** With its angle brackets. */
  readonly messageId?: string;
  /** Inclusive. */
  readonly from?: Date;
  /** Inclusive. */
  readonly to?: Date;
  readonly isAscending: boolean;
  /** Position of the last event of the page before. */
  readonly after?: string;
  /** The last position that may be found. */
  readonly upTo?: string;
  readonly limit: number;
}

export interface FoundEvent {
  /** Unique in the installation, and ascending. */
  readonly position: string;
  readonly emailId: string;
  readonly seq: number;
  readonly type: EmailEventType;
  readonly createdAt: Date;
  /** Null: the event concerns the whole email. */
  readonly recipient: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly tags: readonly Tag[] | null;
  readonly size: number;
}

export interface FoundEvents {
  readonly items: readonly FoundEvent[];
  /**
   * Where the next page begins. Undefined: there are no further ones. As in a search of emails, a page may have fewer events
   * than asked for although there are more.
   */
  readonly next: string | undefined;
}
