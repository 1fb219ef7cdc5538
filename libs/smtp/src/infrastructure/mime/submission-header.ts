import { controlFields, parseScheduledAt, parseTrackingField, RawSendRequest } from '#emails';
import { Mailbox } from '#kernel';
import { fieldValue, HeaderField, readHeaderFields, readMailbox, readMailboxes, splitMessage } from '#mime';
import { isUtf8 } from 'node:buffer';
import { decodeWords } from 'postal-mime';
import { ControlCharacterError, UnusableControlFieldError } from '../../domain/submission-errors.js';

export type SubmissionHeader = Omit<RawSendRequest, 'recipients' | 'content'>;

/** Of a field that is shown on one line. It is folded and encoded in the message, which may take ten times the room. */
const maxTextCharacters = 8 * 1024;
const maxMessageIdCharacters = 998;
const maxTags = 100;

/** Tabs and the line breaks of folds, looked at elsewhere, are no trouble. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** What we need to know of a message, from its header section alone. */
export function readSubmissionHeader(section: Uint8Array, now: Date): SubmissionHeader {
  const { headerEnd } = splitMessage(section);
  const header = Buffer.from(section.buffer, section.byteOffset, headerEnd).toString('latin1');
  // Readers end a field at a NUL, or pass over it: what they would show is not what was checked.
  if (controls.test(header)) throw new ControlCharacterError();
  const fields = readHeaderFields(header);
  const all = (name: string): string[] => fields.filter(({ lowerName }) => lowerName === name).map(fieldValue);
  const first = (name: string): string | undefined => all(name)[0];
  const scheduledAt = first(controlFields.scheduledAt);
  const tracking = first(controlFields.tracking);
  const messageId = shown(first('message-id') ?? '').slice(0, maxMessageIdCharacters);
  return {
    from: senderOf(fields.filter(({ lowerName }) => lowerName === 'from')),
    to: readMailboxes(all('to')),
    cc: readMailboxes(all('cc')),
    replyTo: readMailboxes(all('reply-to')),
    subject: shown(decodeWords((first('subject') ?? '').slice(0, maxTextCharacters))),
    messageId: messageId === '' ? undefined : messageId,
    tags: all(controlFields.tag).slice(0, maxTags).map(tagOf),
    scheduledAt: scheduledAt === undefined ? undefined : parseScheduledAt(scheduledAt, now),
    tracking: tracking === undefined ? undefined : parseTrackingField(tracking),
    idempotencyKey: first(controlFields.idempotencyKey),
  };
}

/** Two From fields, or two addresses in one, would let a message show one sender and be checked for another. */
function senderOf(fields: readonly HeaderField[]): Mailbox | undefined {
  const [field] = fields;
  if (fields.length !== 1 || field === undefined) return undefined;
  const mailbox = readMailbox(fieldValue(field));
  // An address beyond ASCII is UTF-8 (RFC 6532) or it is whatever a reader makes of it.
  const isCertain = mailbox === undefined || isAscii(mailbox.address) || isUtf8(Buffer.from(field.raw, 'latin1'));
  return isCertain ? mailbox : undefined;
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

function tagOf(value: string): { name: string; value: string } {
  const equals = value.indexOf('=');
  if (equals < 1) throw new UnusableControlFieldError('X-Postrider-Tag', 'look like `name=value`');
  return { name: value.slice(0, equals).trim(), value: value.slice(equals + 1).trim() };
}

/** Readable, and storable: PostgreSQL keeps no NUL and no half of a surrogate pair. */
function shown(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .toWellFormed()
    .trim();
}
