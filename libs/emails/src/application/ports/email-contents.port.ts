import { Attachment, Email } from '../../domain/email.js';

/** A string for short text. UTF-8 in pieces for large text: to be read once, all of the html before the text. */
export type ReadableText = string | AsyncIterable<Uint8Array>;

/** Something that holds memory until it is released. */
export interface Released {
  /** Must be called after use, also after an error. A second call does nothing. */
  release(): void;
}

export interface ReadableBody extends Released {
  readonly html: ReadableText | null;
  readonly text: ReadableText | null;
  /** Why a finished MIME message could not be read. Html and text are then null. */
  readonly unreadable?: string;
}

export interface ReadableAttachment extends Released {
  readonly attachment: Attachment;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The team, or a visitor who follows one of its signed links. */
export type ContentReader = string | { readonly address: string; readonly links: string };

/**
 * Reads the contents of emails for display. The memory that a read needs is charged to `reader`. Large contents wait
 * for a share of the memory, and are refused with a DomainError of kind `unavailable` if that takes too long.
 */
export abstract class EmailContents {
  abstract bodyOf(email: Email, reader: ContentReader): Promise<ReadableBody>;

  /** Attachments in the order in which they were sent. Empty if a finished MIME message cannot be read. */
  abstract attachmentsOf(email: Email, reader: ContentReader): Promise<readonly Attachment[]>;

  abstract attachment(
    email: Email,
    attachmentId: string,
    reader: ContentReader,
  ): Promise<ReadableAttachment | undefined>;
}

export interface FetchedAttachment {
  readonly content: Uint8Array;
  /** The content type that the server sent, unchecked. */
  readonly contentType: string | undefined;
}

/** The URL gave no attachment. The message is written for the customer. */
export class AttachmentUnavailableError extends Error {}

export interface FetchLimits {
  /** Maximum size of the content, in bytes. */
  readonly bytes: number;
  readonly timeoutMs: number;
  /** Aborted when the content is no longer needed. */
  readonly signal: AbortSignal;
  /** Called with the size of each piece before the piece is kept. Its errors are passed on. */
  readonly makeRoom: (bytes: number) => Promise<void>;
}

/** Fetches files that customers link by URL. */
export abstract class AttachmentSource {
  /**
   * Never connects to an address that is not public, whatever name or redirect leads there. Throws
   * AttachmentUnavailableError if the file cannot be fetched in time, is too large, or is sent compressed. One team
   * never waits for another team's servers.
   */
  abstract fetch(teamId: string, url: string, limits: FetchLimits): Promise<FetchedAttachment>;
}
