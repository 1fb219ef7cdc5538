import type { Actor } from '#identity';

/** Old and new value by field: `first_name`, `properties.plan`, `segments.<id>`, `topics.<id>`. */
export type FieldChanges = Readonly<Record<string, FieldChange>>;

export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * By which way a change came: a request to the API, a file, the link in an email, the unsubscribe button of a mail program
 * (RFC 8058), or a bounce or complaint.
 */
export type ChangeSource = 'api' | 'import' | 'link' | 'one-click' | 'feedback';

export const changeSources: readonly ChangeSource[] = ['api', 'import', 'link', 'one-click', 'feedback'];

/** One request of a person, or of a team for a person, after which the person gets less mail. */
export interface Unsubscribe {
  /** UUIDv7 */
  readonly id: string;
  readonly teamId: string;
  readonly contactId: string;
  /** The email whose link was followed. Null for requests to the API. */
  readonly emailId: string | null;
  readonly source: ChangeSource;
  /** Empty: from all mail. */
  readonly topicIds: readonly string[];
  readonly createdAt: Date;
}

export type ContactChangeType = 'created' | 'updated' | 'topics_updated' | 'deleted';

/** An entry of the history of a contact. */
export interface ContactChange {
  /** UUIDv7: the history is ordered by it. */
  readonly id: string;
  readonly contactId: string;
  readonly teamId: string;
  readonly type: ContactChangeType;
  readonly source: ChangeSource;
  readonly actor: Actor;
  readonly changes: FieldChanges;
  readonly createdAt: Date;
}
