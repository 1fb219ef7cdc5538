import { Readable } from 'node:stream';
import { escapedHtml } from '#kernel';
import { textPieces } from '#http/server';
import type { ReadableEmail } from '../../application/read-emails.query.js';
import type { Attachment } from '../../domain/email.js';

/** Images after these are not shown, so that HTML that repeats a short address does not become many times as long. */
const maxEmbeddedImages = 1_000;

/** An address ends where a value of HTML or of a style does. */
const embedded = /cid:([^\s"'()<>&]{1,998})/g;

/** Larger HTML is shown without its embedded images: to find them, it would have to be in memory as a whole. */
const maxSearchedLength = 2 * 1024 * 1024;

/**
 * The HTML of an email for a frame of the dashboard. The headers let it run nothing, send nothing and load nothing,
 * except images and fonts from the internet if the reader asked for them: loading them tells their owner that the email
 * was opened.
 */
export function previewHeaders(withRemoteImages: boolean): Record<string, string> {
  const remote = withRemoteImages ? ' https: http:' : '';
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data: 'self'${remote}`,
    `font-src data:${withRemoteImages ? ' https:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'cache-control': 'private, no-store',
  };
}

/** `linkOf` gives the address of an attachment. */
export function emailPreview(
  { body }: ReadableEmail,
  attachments: readonly Attachment[],
  linkOf: (attachment: Attachment) => string,
): Readable {
  return Readable.from(previewPieces(body, attachments, linkOf), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* previewPieces(
  body: ReadableEmail['body'],
  attachments: readonly Attachment[],
  linkOf: (attachment: Attachment) => string,
): AsyncGenerator<string> {
  if (body.html === null) {
    yield '<!doctype html><meta charset="utf-8"><pre style="white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace">';
    const text = body.unreadable ?? body.text ?? '';
    if (typeof text === 'string') yield escapedHtml(text);
    else for await (const piece of textPieces(text)) yield escapedHtml(piece);
    yield '</pre>';
    return;
  }
  // A link in a frame would open inside of it.
  yield '<base target="_blank">';
  const { html } = body;
  if (typeof html !== 'string') yield* textPieces(html);
  else yield html.length > maxSearchedLength ? html : withEmbeddedImages(html, attachments, linkOf);
}

/** Replaces `cid:` addresses (RFC 2392) by links to the attachments, in one pass. */
function withEmbeddedImages(
  html: string,
  attachments: readonly Attachment[],
  linkOf: (attachment: Attachment) => string,
): string {
  // Of images with the same id, the first is shown.
  const byContentId = new Map(attachments.toReversed().map((attachment) => [attachment.contentId, attachment]));
  let replaced = 0;
  return html.replace(embedded, (address, contentId: string) => {
    const attachment = replaced < maxEmbeddedImages ? byContentId.get(contentId) : undefined;
    if (attachment === undefined) return address;
    replaced++;
    return escapedHtml(linkOf(attachment));
  });
}
