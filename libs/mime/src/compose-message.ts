import { hash } from 'node:crypto';
import { type Mailbox, parseMailbox } from '#kernel';
import { mailboxesHeader, rawHeader, textHeader } from './header-encoding.js';
import { assertSafeHeader } from './header-field.js';
import { type MimeAttachment, attachmentPart, type LeafPart, type MimePart, multipart, textPart } from './mime-part.js';

/** The parts of a message that is to be composed. There is no Bcc: hidden recipients are in the envelope only. */
export interface ComposableMessage {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc?: readonly Mailbox[];
  readonly replyTo?: readonly Mailbox[];
  readonly subject: string;
  readonly date: Date;
  /** With angle brackets: `<id@domain>`. */
  readonly messageId: string;
  /**
   * Further header fields, in order.
   *
   * `Message-ID`, `Date` and `Reply-To` replace the generated ones where they are well-formed (`Reply-To` only where
   * `replyTo` is absent). The other fields that the composer writes, the MIME fields, and fields that only a transport may
   * add are left out: two Subjects, or a To that differs from the envelope, only help forgery.
   */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly html?: string;
  readonly text?: string;
  readonly attachments?: readonly MimeAttachment[];
}

const ownHeaders = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'resent-bcc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'dkim-signature',
  'received',
  'return-path',
]);
const messageIdPattern = /^<[^\s<>@\u0080-\uffff]{1,250}@[^\s<>@\u0080-\uffff]{1,250}>$/;

/**
 * Writes a message as RFC 5322 and MIME bytes: CRLF line ends, at most 998 bytes a line, ASCII except for the local
 * parts of internationalised addresses. The same input gives the same bytes, so a retry sends the same bytes as the
 * first attempt.
 *
 * The whole message is written into one buffer. html and text of 4 KB each take 0.035 ms of CPU, or 0.11 ms where both
 * need quoted-printable. An RSA-2048 signature took 0.80 ms on the same processor.
 *
 * @param headRoom free bytes in front of the message, into which `signMessage` can write.
 * @throws UnsafeHeaderError if a header would end early or begin another header.
 */
export function composeMessage(message: ComposableMessage, headRoom = 0): Uint8Array {
  const root = composeBody(message);
  const head = `${composeHeaders(message)}MIME-Version: 1.0\r\n${root.headers}\r\n`;
  return concatenate(headRoom, head, root.body);
}

function composeHeaders(message: ComposableMessage): string {
  const custom = message.headers ?? [];
  const date = customDate(custom) ?? message.date;
  const replyTo = message.replyTo?.length ? mailboxesHeader('Reply-To', message.replyTo) : customReplyTo(custom);
  let head = mailboxesHeader('From', [message.from]);
  if (message.to.length > 0) head += mailboxesHeader('To', message.to);
  if (message.cc?.length) head += mailboxesHeader('Cc', message.cc);
  head += replyTo;
  head += textHeader('Subject', message.subject);
  head += rawHeader('Message-ID', customMessageId(custom) ?? message.messageId);
  head += `Date: ${formatDate(date)}\r\n`;
  for (const [name, value] of custom) {
    assertSafeHeader(name, value);
    const lowerName = name.toLowerCase();
    if (!ownHeaders.has(lowerName) && !lowerName.startsWith('content-')) head += rawHeader(name, value);
  }
  return head;
}

/** mixed( alternative( text, related( html, inline... ) ), attachments... ). Each layer is written only if it is needed. */
function composeBody(message: ComposableMessage): MimePart {
  const { html, text, attachments = [] } = message;
  const hasHtml = html !== undefined;
  // An empty text beside html means: the message has no text part.
  const textLeaf = text || !hasHtml ? textPart('plain', text ?? '') : undefined;
  const htmlLeaf = hasHtml ? textPart('html', html) : undefined;
  const isInline = (attachment: MimeAttachment) => hasHtml && Boolean(attachment.contentId);
  const inline = attachments.filter(isInline).map(attachmentPart);
  const files = attachments.filter((attachment) => !isInline(attachment)).map(attachmentPart);

  const leaves = [textLeaf, htmlLeaf, ...files].filter((leaf) => leaf !== undefined);
  if (leaves.length + inline.length === 1) return endedByLineEnd(leaves[0] as LeafPart);

  const boundary = boundaryFor(message.messageId, [...leaves, ...inline]);
  const shown = htmlLeaf && inline.length > 0 ? multipart('related', `${boundary}r`, [htmlLeaf, ...inline]) : htmlLeaf;
  const alternatives = [textLeaf, shown].filter((part) => part !== undefined);
  const content =
    alternatives.length === 1 ? (alternatives[0] as MimePart) : multipart('alternative', `${boundary}a`, alternatives);
  return files.length > 0 ? multipart('mixed', `${boundary}m`, [content, ...files]) : content;
}

/**
 * A boundary that depends on the message only and does not occur in it.
 *
 * `=_` cannot occur in quoted-printable or base64 (RFC 2045 section 6.7), so only 7bit parts are searched.
 */
function boundaryFor(messageId: string, leaves: readonly LeafPart[]): string {
  for (let attempt = 0; ; attempt++) {
    const digest = hash('sha256', `${messageId} ${attempt}`, 'hex').slice(0, 24);
    const boundary = `=_${digest}`;
    const occurs = leaves.some((leaf) => leaf.mayHoldBoundary && leaf.body.some((piece) => holds(piece, boundary)));
    if (!occurs) return boundary;
  }
}

function holds(piece: string | Uint8Array, text: string): boolean {
  if (typeof piece === 'string') return piece.includes(text);
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).includes(text, 0, 'latin1');
}

/** Adds a line end if the message does not end with one, as SMTP requires (RFC 5321 section 4.1.1.4). */
function endedByLineEnd(leaf: LeafPart): MimePart {
  const last = leaf.body[leaf.body.length - 1];
  const ends = last === undefined || last.length === 0 || last.at(-1) === 0x0a || last.at(-1) === '\n';
  return ends ? leaf : { headers: leaf.headers, body: [...leaf.body, '\r\n'] };
}

function concatenate(room: number, head: string, pieces: readonly (string | Uint8Array)[]): Uint8Array {
  let length = room + Buffer.byteLength(head, 'utf8');
  for (const piece of pieces) length += piece.length;
  const target = Buffer.allocUnsafe(length);
  let at = room + target.write(head, room, 'utf8');
  for (const piece of pieces) {
    if (typeof piece === 'string') at += target.write(piece, at, 'latin1');
    else {
      target.set(piece, at);
      at += piece.length;
    }
  }
  return target.subarray(room);
}

/** Formats a date (RFC 5322 section 3.3), always in UTC. */
function formatDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError('The date of a message must be a valid date');
  return date.toUTCString().replace('GMT', '+0000');
}

function customDate(headers: readonly (readonly [string, string])[]): Date | undefined {
  const value = customValue(headers, 'date');
  const time = value === undefined ? NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time);
}

function customMessageId(headers: readonly (readonly [string, string])[]): string | undefined {
  const value = customValue(headers, 'message-id')?.trim();
  return value !== undefined && messageIdPattern.test(value) ? value : undefined;
}

function customReplyTo(headers: readonly (readonly [string, string])[]): string {
  const value = customValue(headers, 'reply-to');
  if (value === undefined) return '';
  const mailbox = parseMailbox(value);
  return mailbox ? mailboxesHeader('Reply-To', [mailbox]) : rawHeader('Reply-To', value);
}

function customValue(headers: readonly (readonly [string, string])[], lowerName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}
