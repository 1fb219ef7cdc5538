export interface InboxDraftAttachment {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly contentId: string | null;
  /** Bytes. */
  readonly size: number;
}

/** An attachment of a draft with its bytes. */
export interface DraftFile extends InboxDraftAttachment {
  readonly content: Uint8Array;
}

/** An email that is being written. */
export interface InboxDraft {
  /** UUIDv7. */
  readonly id: string;
  readonly inboxId: string;
  /** The thread and the email that it answers; both null for a draft that begins a thread. */
  readonly threadId: string | null;
  readonly replyToEmailId: string | null;
  readonly to: readonly string[] | null;
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly InboxDraftAttachment[];
  /** The email that was sent; null until then. */
  readonly emailId: string | null;
  /** Grows with every change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A draft as lists show it. */
export interface DraftSummary extends Omit<InboxDraft, 'html' | 'text'> {
  /** How its text begins. */
  readonly snippet: string | null;
}

/** The fields that somebody writes. */
export type DraftContent = Pick<InboxDraft, 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>;

/** That are not sent yet, of one team. */
export const maxOpenDrafts = 2_000;
/** Of html and text of a draft together, in bytes. */
export const maxDraftBodyBytes = 1024 * 1024;
/** Of an email that is sent from an inbox. */
export const maxFiles = 10;
/** Of the attachments of a draft or of an email that is sent from an inbox, in bytes. */
export const maxFileBytes = 25 * 1024 * 1024;
/** Of the attachments of all drafts of a team, in bytes. */
export const maxTeamFileBytes = 500 * 1024 * 1024;
