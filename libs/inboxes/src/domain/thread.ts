/** `sent` has threads in which nobody has answered yet. */
export const threadFolders = ['inbox', 'archive', 'spam', 'sent', 'trash'] as const;
export type ThreadFolder = (typeof threadFolders)[number];

/** The folders into which a thread may be moved. */
export const movableFolders = ['inbox', 'archive', 'spam', 'trash'] as const;
export type MovableFolder = (typeof movableFolders)[number];

export interface ThreadLabel {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/** Emails of an inbox that answer each other. The addresses are those of its newest email. */
export interface InboxThread {
  /** UUIDv7. */
  readonly id: string;
  readonly inboxId: string;
  readonly subject: string | null;
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly labels: readonly ThreadLabel[];
  readonly emailCount: number;
  readonly hasAttachment: boolean;
  readonly hasDraft: boolean;
  /** Whether all of its emails are read. */
  readonly isRead: boolean;
  /** Of its newest email. */
  readonly lastEmailAt: Date;
  readonly folder: ThreadFolder;
  /** The member of the team who looks after it. Null: nobody, or somebody who has left the team. */
  readonly assigneeEmail: string | null;
}

export type EmailDirection = 'inbound' | 'outbound';

export interface InboxEmailAttachment {
  readonly id: string;
  readonly filename: string | null;
  /** Bytes. */
  readonly size: number | null;
}

/** An email of an inbox. Its content stands with the received or the sent email that has the same id. */
export interface InboxEmail {
  readonly id: string;
  readonly inboxId: string;
  readonly threadId: string;
  readonly direction: EmailDirection;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string | null;
  /** With angle brackets. */
  readonly messageId: string | null;
  readonly attachments: readonly InboxEmailAttachment[];
  readonly isRead: boolean;
  readonly receivedAt: Date;
}
