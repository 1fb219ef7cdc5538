import { createHash } from 'node:crypto';
import { MimeTooComplexError, readMessage } from '#mime';
import type { MessageFile } from '#mime';
import type { Parser } from '#platform/parsing';
import type { Attachment } from '../../domain/email.js';

export interface MimeQuestion {
  readonly emailId: string;
  /** The parts to decode: html and text, the descriptions of the attachments, or the content of one attachment. */
  readonly wanted: 'body' | 'attachments' | { readonly attachmentId: string };
}

/** The decoded parts of a finished MIME message, in the same form as those of composed emails. */
export interface ParsedMime {
  /** UTF-8. */
  readonly html: Uint8Array | null;
  readonly text: Uint8Array | null;
  readonly attachments: readonly Attachment[];
  /** Content of the requested attachment. */
  readonly content: Uint8Array | null;
  readonly unreadable: string | null;
}

const nothing: ParsedMime = { html: null, text: null, attachments: [], content: null, unreadable: null };

/**
 * Parses a message when it is read, not when it is accepted: most messages are never read through the API, and unusual
 * MIME must not make acceptance more expensive. A message that cannot be parsed has no parts.
 */
export function parse(bytes: Uint8Array, { emailId, wanted }: MimeQuestion): ParsedMime {
  try {
    const message = readMessage(bytes);
    if (wanted === 'body') return { ...nothing, html: message.html(), text: message.text() };
    if (wanted === 'attachments') {
      const attachments = message.files.map((file, index) => described(emailId, index, file, file.content().length));
      return { ...nothing, attachments };
    }
    const index = message.files.findIndex((_, position) => attachmentId(emailId, position) === wanted.attachmentId);
    const file = message.files[index];
    if (file === undefined) return nothing;
    const content = file.content();
    return { ...nothing, attachments: [described(emailId, index, file, content.length)], content };
  } catch (error) {
    if (error instanceof MimeTooComplexError) return { ...nothing, unreadable: error.message };
    throw error;
  }
}

export const mimeParser: Parser<MimeQuestion, ParsedMime> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 32 * 1024,
};

function described(emailId: string, index: number, file: MessageFile, size: number): Attachment {
  const { filename, contentType, contentId } = file;
  return { id: attachmentId(emailId, index), filename, contentType, contentId, size };
}

/**
 * The id of an attachment, the same on every read: a UUIDv7 of the email's time, with random bits derived from the
 * email and the position.
 */
function attachmentId(emailId: string, index: number): string {
  const bits = createHash('sha256').update(`${emailId}/${index}`).digest('hex');
  return `${emailId.slice(0, 13)}-7${bits.slice(0, 3)}-8${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
}
