import { htmlToText, htmlWithImages, MimeTooComplexError, readMessage } from '#mime';
import type { ReadableMessage } from '#mime';
import type { Parser } from '#platform/parsing';
import type { HtmlFormat } from '../../application/ports/received-contents.port.js';
import { attachmentId } from './arrived-message.parser.js';
import { shownText } from './shown-text.js';

export type BodyQuestion =
  | { readonly wanted: 'body'; readonly format: HtmlFormat }
  | { readonly wanted: 'attachment'; readonly contentId: string; readonly attachmentId: string };

export interface ParsedBody {
  /** UTF-8. */
  readonly html: Uint8Array | null;
  readonly text: Uint8Array | null;
  readonly textOfHtml: string | null;
  /** The text from which the reply is taken, if it is not `text`: its quotations are marked. */
  readonly textOfReply: string | null;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Content of the requested attachment. */
  readonly content: Uint8Array | null;
  readonly unreadable: string | null;
}

export const nothing: ParsedBody = {
  html: null,
  text: null,
  textOfHtml: null,
  textOfReply: null,
  fields: [],
  content: null,
  unreadable: null,
};

const maxFields = 1_000;
/** Of all images in the HTML. */
const maxImageCharacters = 16 * 1024 * 1024;
const maxConvertedBytes = 256 * 1024;

/** Reads the parts of a received message. One that cannot be read has none. */
export function parse(bytes: Uint8Array, question: BodyQuestion): ParsedBody {
  try {
    const message = readMessage(bytes);
    return question.wanted === 'body' ? bodyOf(message, question.format) : contentOf(message, question);
  } catch (error) {
    if (error instanceof MimeTooComplexError) return { ...nothing, unreadable: error.message };
    throw error;
  }
}

export const receivedBodyParser: Parser<BodyQuestion, ParsedBody> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 32 * 1024,
};

function bodyOf(message: ReadableMessage, format: HtmlFormat): ParsedBody {
  const html = message.html();
  const text = message.text();
  const isConverted = text === null && html !== null && html.length <= maxConvertedBytes;
  const converted = isConverted ? html.toString('utf8') : null;
  return {
    ...nothing,
    html: html !== null && format === 'data_uri' ? htmlWithImages(html, message.files, maxImageCharacters) : html,
    text,
    textOfHtml: converted === null ? null : htmlToText(converted),
    textOfReply: converted === null ? null : htmlToText(converted, 'marked'),
    fields: message.fields.slice(0, maxFields).map(({ name, value }) => [name, shownText(value, 8_000)]),
  };
}

function contentOf(message: ReadableMessage, question: Extract<BodyQuestion, { wanted: 'attachment' }>): ParsedBody {
  const file = message.files.find((_, index) => attachmentId(question.contentId, index) === question.attachmentId);
  return { ...nothing, content: file?.content() ?? null };
}
