import { htmlWithImages, MimeTooComplexError, readable, readMessage } from '#mime';
import type { ReadableMessage } from '#mime';
import type { Parser } from '#platform/parsing';

/** The parts of a message as a mail client would show them. */
export interface ParsedMessage {
  /** UTF-8. */
  readonly html: Uint8Array | null;
  readonly text: Uint8Array | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly ParsedAttachment[];
  /** Why the message could not be read. It then has no parts. */
  readonly unreadable: string | null;
}

export interface ParsedAttachment {
  readonly filename: string | null;
  readonly contentType: string;
  readonly size: number;
}

/** `html`: only the HTML, with the images of the message inserted. */
export type WantedParts = 'parts' | 'html';

/** Maximum number of fields and attachments shown. */
const maxShown = 1_000;
/** Maximum number of characters of all inserted images: those of the largest message, in Base64. */
const maxImageCharacters = 57 * 1024 * 1024;
/** How many of these characters may be images that the HTML repeats. */
const maxRepeatedCharacters = 1024 * 1024;

export const nothingReadable: ParsedMessage = {
  html: null,
  text: null,
  headers: [],
  attachments: [],
  unreadable: null,
};

/** The parts of a message. An unreadable message has none. */
export function parse(bytes: Uint8Array, wanted: WantedParts): ParsedMessage {
  try {
    const message = readMessage(bytes);
    return wanted === 'html' ? { ...nothingReadable, html: shownHtml(message) } : partsOf(message);
  } catch (error) {
    if (error instanceof MimeTooComplexError) return { ...nothingReadable, unreadable: error.message };
    throw error;
  }
}

export const messageParser: Parser<WantedParts, ParsedMessage> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 32 * 1024,
};

/** The HTML with its images inserted, since it may load nothing. */
function shownHtml({ html, files }: ReadableMessage): Buffer {
  return htmlWithImages(html() ?? Buffer.alloc(0), files, maxImageCharacters, maxRepeatedCharacters);
}

function partsOf(message: ReadableMessage): ParsedMessage {
  return {
    html: message.html(),
    text: message.text(),
    headers: message.fields.slice(0, maxShown).map(({ name, value }) => ({ name, value: readable(value) })),
    attachments: message.files.slice(0, maxShown).map(({ filename, contentType, content }) => {
      return { filename, contentType, size: content().length };
    }),
    unreadable: null,
  };
}
