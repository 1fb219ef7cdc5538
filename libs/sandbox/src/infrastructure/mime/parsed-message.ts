import PostalMime from 'postal-mime';
import type { Attachment } from 'postal-mime';

export interface ParsedMessage {
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly ParsedAttachment[];
}

export interface ParsedAttachment {
  readonly filename: string | null;
  readonly contentType: string;
  /** Without angle brackets; null where nothing refers to it. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

const unreadable: ParsedMessage = { html: null, text: null, headers: [], attachments: [] };

/** The parts of a message as a mail client would show them. One that cannot be read at all has none. */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  try {
    const email = await PostalMime.parse(raw);
    return {
      html: bodyOf(email.html),
      text: bodyOf(email.text),
      headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
      attachments: email.attachments.map(attachmentOf),
    };
  } catch {
    return unreadable;
  }
}

/** The parser ends every part with a line break that is not the sender's. */
function bodyOf(part: string | undefined): string | null {
  return part?.replace(/\r?\n$/, '') ?? null;
}

function attachmentOf({ filename, mimeType, contentId, content }: Attachment): ParsedAttachment {
  return {
    filename,
    contentType: mimeType.toLowerCase(),
    contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
  };
}
