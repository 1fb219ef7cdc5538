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
  const at = startOfBody(body);
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

/** Behind the tag `<body>`, so that the styles of the forwarded document apply to it as before. */
function startOfBody(html: string): number {
  const tag = /<body[\s>]/i.exec(html);
  if (tag === null) return 0;
  return html.indexOf('>', tag.index) + 1;
}
