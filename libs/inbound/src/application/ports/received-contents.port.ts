import { ReceivedAttachment, ReceivedEmail } from '../../domain/received-email.js';

/** The team, or a visitor who follows one of its signed links. */
export type ReceivedContentReader = string | { readonly address: string; readonly links: string };

/** How the HTML refers to images of the message: as data in it, or by the Content-ID of an attachment. */
export type HtmlFormat = 'data_uri' | 'cid';

/** Something that holds memory until it is released. */
export interface ReleasedAfterUse {
  /** Must be called after use, also after an error. A second call does nothing. */
  release(): void;
}

export interface ReadableReceived extends ReleasedAfterUse {
  /** UTF-8. Null if the message has no such part. */
  readonly html: Uint8Array | null;
  readonly text: Uint8Array | null;
  /** What a person would read: the text, or the html without its tags. Null if neither is there, or the html is too large. */
  readonly plain: Uint8Array | string | null;
  /** What the author wrote, without the quoted mail and the signature. Null if that cannot be told. */
  readonly replyText: string | null;
  /** By name, in lower case. The values of fields that occur several times are joined with line feeds. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the message could not be read. It then has no parts. */
  readonly unreadable?: string;
}

export interface ReadableReceivedAttachment extends ReleasedAfterUse {
  readonly attachment: ReceivedAttachment;
  readonly content: Uint8Array;
}

export interface ReadableSource extends ReleasedAfterUse {
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Reads the contents of received emails. The memory that a read needs is charged to `reader`; large contents wait for
 * it, and are refused with a DomainError of kind `unavailable` if that takes too long. Throws NotFoundError if the
 * content is removed.
 */
export abstract class ReceivedContents {
  abstract body(email: ReceivedEmail, format: HtmlFormat, reader: ReceivedContentReader): Promise<ReadableReceived>;

  /** Throws NotFoundError for an unknown attachment. */
  abstract attachment(
    email: ReceivedEmail,
    id: string,
    reader: ReceivedContentReader,
  ): Promise<ReadableReceivedAttachment>;

  /**
   * What a person would read of a message that is not stored: its text; empty if it has none, or cannot be read.
   * `content` may be moved to another thread.
   */
  abstract textOf(content: Uint8Array, reader: string): Promise<string>;

  /** The source (RFC 5322): our header fields, and the bytes as they were received. */
  abstract source(email: ReceivedEmail, reader: ReceivedContentReader): Promise<ReadableSource>;
}
