import { Attachment, Email } from '../../domain/email.js';

/** Short: a string. Large: UTF-8 in pieces, to be read once, all of the html before the text. */
export type ReadableText = string | AsyncIterable<Uint8Array>;

/** What takes memory while it is used. */
export interface Released {
  /** To be called when it has been used, however that ended. A second call does nothing. */
  release(): void;
}

export interface ReadableBody extends Released {
  readonly html: ReadableText | null;
  readonly text: ReadableText | null;
  /** Set where a finished MIME message could not be read, and why: then there is neither html nor text. */
  readonly unreadable?: string;
}

export interface ReadableAttachment extends Released {
  readonly attachment: Attachment;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** The team itself, or somebody who follows one of its signed links. */
export type ContentReader = string | { readonly address: string; readonly links: string };

/**
 * What emails hold, for people to read. `reader` is to whom the memory is charged that reading takes: large contents wait
 * for a share of it, and are refused with a DomainError of kind `unavailable` where that takes too long.
 */
export abstract class EmailContents {
  abstract bodyOf(email: Email, reader: ContentReader): Promise<ReadableBody>;

  /** In the order in which they were sent. None where a finished MIME message cannot be read. */
  abstract attachmentsOf(email: Email, reader: ContentReader): Promise<readonly Attachment[]>;

  abstract attachment(
    email: Email,
    attachmentId: string,
    reader: ContentReader,
  ): Promise<ReadableAttachment | undefined>;
}
