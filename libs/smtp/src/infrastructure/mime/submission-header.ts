import { controlFields, parseScheduledAt, parseTrackingField, RawSendRequest } from '#emails';
import { Mailbox, parseEmailAddress } from '#kernel';
import { HeaderField, readHeaderFields, splitMessage } from '#mime';
import { addressParser, decodeWords } from 'postal-mime';
import { UnusableControlFieldError } from '../../domain/submission-errors.js';

export type SubmissionHeader = Omit<RawSendRequest, 'recipients' | 'content'>;

/** Characters of an address field that are looked at: a hundred recipients and more. */
const longestField = 32 * 1024;
const longestMessageId = 998;

/** What we need to know of a message, from its header section alone. */
export function readSubmissionHeader(section: Uint8Array, now: Date): SubmissionHeader {
  const { headerEnd } = splitMessage(section);
  const bytes = Buffer.from(section.buffer, section.byteOffset, headerEnd);
  const fields = readHeaderFields(bytes.toString('latin1'));
  const all = (name: string): string[] => fields.filter(({ lowerName }) => lowerName === name).map(valueOf);
  const first = (name: string): string | undefined => all(name)[0];
  const scheduledAt = first(controlFields.scheduledAt);
  const tracking = first(controlFields.tracking);
  const messageId = shown(first('message-id') ?? '').slice(0, longestMessageId);
  return {
    from: senderOf(all('from')),
    to: all('to').flatMap(mailboxesOf),
    cc: all('cc').flatMap(mailboxesOf),
    replyTo: all('reply-to').flatMap(mailboxesOf),
    subject: shown(decodeWords(first('subject') ?? '')),
    messageId: messageId === '' ? undefined : messageId,
    tags: all(controlFields.tag).map(tagOf),
    scheduledAt: scheduledAt === undefined ? undefined : parseScheduledAt(scheduledAt, now),
    tracking: tracking === undefined ? undefined : parseTrackingField(tracking),
    idempotencyKey: first(controlFields.idempotencyKey),
  };
}

/** Unfolded. UTF-8 where it is (RFC 6532), Latin-1 where it cannot be. */
function valueOf({ raw }: HeaderField): string {
  const text = raw.slice(raw.indexOf(':') + 1).replaceAll('\r\n', '');
  const bytes = Buffer.from(text, 'latin1');
  const decoded = bytes.toString('utf8');
  return (decoded.includes('\ufffd') ? text : decoded).trim();
}

/** Two From fields, or two addresses in one, would let a message show one sender and be checked for another. */
function senderOf(values: readonly string[]): Mailbox | undefined {
  const [value] = values;
  if (values.length !== 1 || value === undefined) return undefined;
  const parsed = addressParser(value);
  const [only] = parsed;
  if (parsed.length !== 1 || only === undefined) return undefined;
  return mailboxOf(only);
}

function mailboxesOf(value: string): Mailbox[] {
  return addressParser(value.slice(0, longestField), { flatten: true }).flatMap((parsed) => mailboxOf(parsed) ?? []);
}

function mailboxOf({ name, address }: { name: string; address?: string }): Mailbox | undefined {
  const parsed = parseEmailAddress(address ?? '');
  if (parsed === undefined) return undefined;
  const display = shown(decodeWords(name));
  return display === '' ? parsed : { ...parsed, name: display };
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
