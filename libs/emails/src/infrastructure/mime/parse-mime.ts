import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { Attachment as MimeAttachment } from 'postal-mime';
import { Attachment } from '../../domain/email.js';

/** The parts of a finished MIME message, in the shape that composed emails have. */
export interface ParsedMime {
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: readonly Attachment[];
  /** Contents by attachment id. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

const unreadable: ParsedMime = { html: null, text: null, attachments: [], contents: new Map() };

/**
 * Reads the parts when someone looks at them, not when the message is accepted: most messages are never looked at, and
 * accepting one must not cost more the stranger its MIME is. One that cannot be read at all has no parts.
 */
export async function parseMime(emailId: string, mime: Uint8Array): Promise<ParsedMime> {
  try {
    const { html, text, attachments } = await PostalMime.parse(mime);
    const contents = new Map<string, Uint8Array>();
    const described = attachments.map((attachment, index) => {
      const content = contentOf(attachment);
      const id = attachmentId(emailId, index);
      contents.set(id, content);
      return {
        id,
        filename: attachment.filename,
        contentType: attachment.mimeType.toLowerCase(),
        contentId: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
        size: content.length,
      } satisfies Attachment;
    });
    return { html: bodyOf(html), text: bodyOf(text), attachments: described, contents };
  } catch {
    return unreadable;
  }
}

/** The parser ends every part with a line break that is not the sender's. */
function bodyOf(part: string | undefined): string | null {
  return part?.replace(/\r?\n$/, '') ?? null;
}

function contentOf({ content }: MimeAttachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

/** The same at every look: a UUIDv7 of the email's moment whose random bits follow from the email and the position. */
function attachmentId(emailId: string, index: number): string {
  const bits = createHash('sha256').update(`${emailId}/${index}`).digest('hex');
  return `${emailId.slice(0, 13)}-7${bits.slice(0, 3)}-8${bits.slice(3, 6)}-${bits.slice(6, 18)}`;
}
