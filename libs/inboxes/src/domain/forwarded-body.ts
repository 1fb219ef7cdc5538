import { escapedHtml } from '#kernel';
import { InboxEmail } from './thread.js';

export interface Body {
  readonly html: string | null;
  readonly text: string | null;
}

export type ForwardedEmail = Pick<InboxEmail, 'from' | 'to' | 'subject' | 'receivedAt'>;

/**
 * What the sender wrote, and below it who wrote the forwarded email when, and its body. A part that is null is derived
 * from the other one when the email is delivered.
 */
export function forwardedBody(note: Body, email: ForwardedEmail, original: Body): Body {
  const hasHtml = note.html !== null || original.html !== null;
  return {
    html: hasHtml ? forwardedHtml(note, email, original) : null,
    text: derivesText(note, original) ? null : forwardedText(note.text, email, original.text ?? ''),
  };
}

function derivesText(note: Body, original: Body): boolean {
  const isMissing = ({ html, text }: Body): boolean => text === null && html !== null;
  return isMissing(note) || isMissing(original);
}

function forwardedHtml(note: Body, email: ForwardedEmail, original: Body): string {
  const written = note.html ?? paragraph(note.text ?? '');
  const about = `<p>${linesAbout(email).map(escapedHtml).join('<br>')}</p>`;
  const body = original.html ?? paragraph(original.text ?? '');
  const at = startOf(body);
  return `${body.slice(0, at)}${written}${about}${body.slice(at)}`;
}

function forwardedText(note: string | null, email: ForwardedEmail, text: string): string {
  return [...(note === null || note === '' ? [] : [note, '']), ...linesAbout(email), '', text].join('\n');
}

function linesAbout({ from, to, subject, receivedAt }: ForwardedEmail): string[] {
  return [
    '---------- Forwarded message ----------',
    `From: ${from}`,
    `Date: ${receivedAt.toUTCString()}`,
    `Subject: ${subject ?? ''}`,
    `To: ${to.join(', ')}`,
  ];
}

function paragraph(text: string): string {
  return text === '' ? '' : `<p>${escapedHtml(text).replace(/\r?\n/g, '<br>')}</p>`;
}

/**
 * In front of the document, behind its type: whatever else it begins with could hide who forwards what. Readers take what stands before
 * `<html>` as the beginning of the body, and the attributes of `<body>` still hold.
 */
function startOf(html: string): number {
  return /^\s{0,100}<!doctype[^<>]{0,500}>/i.exec(html)?.[0].length ?? 0;
}
