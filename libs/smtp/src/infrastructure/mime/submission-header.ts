import { controlFields, lowerDepthField, parseScheduledAt, parseTrackingField, RawSendRequest } from '#emails';
import { Mailbox, ValidationError } from '#kernel';
import {
  decodeEncodedWords,
  fieldValue,
  HeaderField,
  readHeaderFields,
  readMailbox,
  readMailboxes,
  splitMessage,
} from '#mime';
import { isUtf8 } from 'node:buffer';
import type { ExtensionFields, OtherControlFields } from '../../application/ports/submission-choices.port.js';

export type SubmissionHeader = Omit<RawSendRequest, 'recipients' | 'content'>;

/**
 * Maximum length of a field that is one line of text. Folded and encoded in the message it may take ten times as much.
 */
const maxTextCharacters = 8 * 1024;
const maxMessageIdCharacters = 998;
const maxTags = 100;

export class UnusableControlFieldError extends ValidationError {
  constructor(field: string, expected: string) {
    super(`The \`${field}\` header field must ${expected}.`);
  }
}

export class ControlCharacterError extends ValidationError {
  constructor() {
    super('The header of the message has a NUL or another control character (RFC 5322 section 2.2).');
  }
}

/** Tabs and line breaks are allowed here: line breaks are checked elsewhere. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Reads the fields of a message that we need, from its header section alone. Our own control fields go before those of others. */
export function readSubmissionHeader(section: Uint8Array, now: Date, others?: OtherControlFields): SubmissionHeader {
  const { headerEnd } = splitMessage(section);
  const header = Buffer.from(section.buffer, section.byteOffset, headerEnd).toString('latin1');
  // Mail clients end a field at a NUL or skip it, so they would show something other than what was checked.
  if (controls.test(header)) throw new ControlCharacterError();
  const fields = readHeaderFields(header);
  const all = (name: string): string[] => fields.filter(({ lowerName }) => lowerName === name).map(fieldValue);
  const first = (name: string): string | undefined => all(name)[0];
  const scheduledAt = first(controlFields.scheduledAt);
  const tracking = first(controlFields.tracking);
  const extensions = (): ExtensionFields =>
    fields
      .filter(({ lowerName }) => lowerName.startsWith('x-'))
      .map((field) => [field.lowerName, fieldValue(field)] as const);
  const ofOthers = others?.read(extensions()) ?? {};
  const messageId = shown(first('message-id') ?? '').slice(0, maxMessageIdCharacters);
  return {
    from: senderOf(fields.filter(({ lowerName }) => lowerName === 'from')),
    to: readMailboxes(all('to')),
    cc: readMailboxes(all('cc')),
    replyTo: readMailboxes(all('reply-to')),
    subject: shown(decodeEncodedWords((first('subject') ?? '').slice(0, maxTextCharacters))),
    messageId: messageId === '' ? undefined : messageId,
    tags: [...all(controlFields.tag).slice(0, maxTags).map(tagOf), ...(ofOthers.tags ?? [])],
    scheduledAt: scheduledAt === undefined ? ofOthers.scheduledAt : parseScheduledAt(scheduledAt, now),
    tracking: tracking === undefined ? ofOthers.tracking : parseTrackingField(tracking),
    idempotencyKey: first(controlFields.idempotencyKey),
    depth: first(lowerDepthField),
  };
}

/**
 * The sender, if there is exactly one. With two From fields, or two addresses in one, a message could show one sender
 * and be checked for another.
 */
function senderOf(fields: readonly HeaderField[]): Mailbox | undefined {
  const [field] = fields;
  if (fields.length !== 1 || field === undefined) return undefined;
  const mailbox = readMailbox(fieldValue(field));
  // An address beyond ASCII must be UTF-8 (RFC 6532). Otherwise each reader may decode it differently.
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

/** Makes the text readable and storable: PostgreSQL stores neither NUL nor half of a surrogate pair. */
function shown(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .toWellFormed()
    .trim();
}
