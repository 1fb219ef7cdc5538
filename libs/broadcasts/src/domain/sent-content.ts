import { escapedHtml, MergeTemplate } from '#kernel';
import { BroadcastContent } from './broadcast.js';

/** What the emails of a broadcast share. */
export interface SentContent {
  readonly html?: string;
  readonly text?: string;
}

type Bodies = Pick<BroadcastContent, 'html' | 'text'>;

const tag = '{{{RESEND_UNSUBSCRIBE_URL}}}';
const htmlFooter =
  '<p style="margin:24px 0 0;font:12px/1.5 Arial,Helvetica,sans-serif;color:#696975">' +
  `<a href="${tag}" style="color:#696975">Unsubscribe</a></p>\n`;
const textFooter = `\n\nUnsubscribe: ${tag}\n`;

/**
 * Fills the preview of mail programs, which would otherwise go on with the beginning of the email. The signs are
 * invisible, and of several kinds, because programs merge runs of one kind.
 */
const filler = '&#847;&#8204;&#160;&#8199;&#65279;'.repeat(30);

/**
 * The html with the preview text before everything that is visible. It is hidden from the eye in every way that mail
 * programs know, and from screen readers. A content without a link to unsubscribe gets one at its end.
 */
export function sentContent(content: BroadcastContent, unsubscribeTags: ReadonlySet<string>): SentContent {
  const { previewText } = content;
  const { html, text } = withUnsubscribeFooter(content, unsubscribeTags);
  const shared = text === null ? {} : { text };
  if (html === null) return shared;
  return { ...shared, html: previewText === null ? html : withPreview(html, previewText) };
}

function withPreview(html: string, previewText: string): string {
  const at = beginOfBody(html);
  const hidden =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all;visibility:hidden';
  const preview = `<div aria-hidden="true" style="${hidden}">${escapedHtml(previewText)}${filler}</div>`;
  return html.slice(0, at) + preview + html.slice(at);
}

/** Behind the tag that opens the body, or where it would be. Comments are passed over. Linear in the length of the text. */
function beginOfBody(html: string): number {
  let behindHead = 0;
  for (let at = html.indexOf('<'); at !== -1;) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end === -1) return behindHead;
      at = html.indexOf('<', end + 3);
      continue;
    }
    const name = /^<[/!]?[a-z]{1,10}/i
      .exec(html.slice(at, at + 12))?.[0]
      .slice(1)
      .toLowerCase();
    const end = endOfTag(html, at + 1);
    if (name === 'body') return end;
    if (name === 'html' || name === '/head' || name === '!doctype') behindHead = end;
    // No body tag follows the first tag of a body.
    if (name === 'div' || name === 'p' || name === 'table') return behindHead;
    at = html.indexOf('<', end);
  }
  return behindHead;
}

/** Behind the `>` of a tag. A `>` in quotes does not end it. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const sign = html[at] as string;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") {
      quote = sign;
    } else if (sign === '>') {
      return at + 1;
    }
  }
  return html.length;
}

/** Whether the body that most recipients see has a link to unsubscribe: the html, or the text if there is no html. */
export function hasUnsubscribeLink({ html, text }: Bodies, unsubscribeTags: ReadonlySet<string>): boolean {
  return isLinked(html ?? text ?? '', unsubscribeTags);
}

/**
 * The bodies, with a link to unsubscribe at the end of each one that has none, unless most recipients see a link
 * anyway.
 */
export function withUnsubscribeFooter(bodies: Bodies, unsubscribeTags: ReadonlySet<string>): Bodies {
  if (hasUnsubscribeLink(bodies, unsubscribeTags)) return bodies;
  const { html, text } = bodies;
  const isTextDone = text === null || (text === '' && html !== null) || isLinked(text, unsubscribeTags);
  return { html: html === null ? null : endedBy(html), text: isTextDone ? text : text.trimEnd() + textFooter };
}

/** The footer goes before the tag that closes the body. */
function endedBy(html: string): string {
  const lower = html.toLowerCase();
  const end = Math.max(lower.lastIndexOf('</body'), lower.includes('</body') ? -1 : lower.lastIndexOf('</html'));
  return end === -1 ? `${html}\n${htmlFooter}` : html.slice(0, end) + htmlFooter + html.slice(end);
}

function isLinked(text: string, unsubscribeTags: ReadonlySet<string>): boolean {
  return new MergeTemplate(text, 'text', unsubscribeTags).tags.length > 0;
}
