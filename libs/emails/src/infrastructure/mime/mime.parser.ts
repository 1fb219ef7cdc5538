import { createHash } from 'node:crypto';
import { MimeTooComplexError, readMessage } from '#mime';
import type { MessageFile } from '#mime';
import type { Parser } from '#platform/parsing';
import type { Attachment } from '../../domain/email.js';

export interface MimeQuestion {
  readonly emailId: string;
  /** What is to be decoded: html and text, what is known of the attachments, or the content of one of them. */
  readonly wanted: 'body' | 'attachments' | { readonly attachmentId: string };
}

/** The parts of a finished MIME message, in the shape that composed emails have. */
export interface ParsedMime {
  /** UTF-8. */
  readonly html: Uint8Array | null;
  readonly text: Uint8Array | null;
  readonly attachments: readonly Attachment[];
  /** Of the attachment that was asked for. */
  readonly content: Uint8Array | null;
  readonly unreadable: string | null;
}

const nothing: ParsedMime = { html: null, text: null, attachments: [], content: null, unreadable: null };

/**
 * Reads the parts when someone looks at them, not when the message is accepted: most messages are never looked at, and
 * accepting one must not cost more the stranger its MIME is. One that cannot be read has no parts.
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

/** The same at every look: a UUIDv7 of the email's moment whose random bits follow from the email and the position. */
function attachmentId(emailId: string, index: number): string {
  const bits = createHash('sha256').update(`${emailId}/${index}`).digest('hex');
  return `${emailId.slice(0, 13)}-7${bits.slice(0, 3)}-8${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
}
