import { type ComposableMessage, composeMessage, dkimBodyHashOf, type MimeAttachment } from '#mime';
import type { Parser } from '#platform/parsing';

/** A message without its contents, which are one array of bytes: html, text, and the attachments in their order. */
export interface ComposingOptions {
  readonly message: Omit<ComposableMessage, 'html' | 'text' | 'attachments'>;
  /** Free bytes in front of the result. */
  readonly headRoom: number;
  /** Lengths in bytes. Undefined if there is no such part. */
  readonly html: number | undefined;
  readonly text: number | undefined;
  readonly attachments: readonly (Omit<MimeAttachment, 'content'> & { readonly length: number })[];
}

export interface ComposedMessage {
  readonly bytes: Uint8Array;
  /** For `signMessage`. */
  readonly bodyHash: string;
}

export function parse(contents: Uint8Array, options: ComposingOptions): ComposedMessage {
  let at = 0;
  const next = (length: number): Buffer => {
    const from = contents.byteOffset + at;
    at += length;
    return Buffer.from(contents.buffer, from, length);
  };
  const textOf = (length: number | undefined): string | undefined =>
    length === undefined ? undefined : next(length).toString();
  const html = textOf(options.html);
  const text = textOf(options.text);
  const attachments = options.attachments.map(({ length, ...file }) => ({ ...file, content: next(length) }));
  const bytes = composeMessage({ ...options.message, html, text, attachments }, options.headRoom);
  return { bytes, bodyHash: dkimBodyHashOf(bytes) };
}

/** A megabyte takes 25 ms. */
export const composingParser: Parser<ComposingOptions, ComposedMessage> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 256 * 1024,
};
