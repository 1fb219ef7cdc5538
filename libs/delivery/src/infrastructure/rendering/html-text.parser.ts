import { htmlToText } from '#mime';
import type { Parser } from '#platform/parsing';

export function parse(html: Uint8Array): string {
  return htmlToText(Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString());
}

/** A megabyte of short paragraphs takes 80 to 200 ms. */
export const htmlTextParser: Parser<undefined, string> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 64 * 1024,
};
