import { isAscii, isUtf8 } from 'node:buffer';
import { withoutTrailing } from '#kernel';
import { asciiField } from './ascii-field.js';
import { fieldNameOf, splitMessage } from './dkim-header.js';

export interface FinishingOptions {
  /** Whether fields with this lower-case name are removed. */
  readonly isDropped: (lowerName: string) => boolean;
  /** The Message-ID for a message without one, with angle brackets. */
  readonly messageId: string;
  /** The Date for a message without one. */
  readonly date: Date;
}

/** Fields of which a message may have one (RFC 5322 section 3.6, RFC 2045). The first is the one that is recorded. */
const single = new Set(
  'subject date message-id sender in-reply-to references mime-version content-type content-transfer-encoding'.split(
    ' ',
  ),
);
/** Fields of which a message may have one, with all addresses of the others. */
const lists = new Set(['to', 'cc', 'reply-to']);

/**
 * Prepares a message that the customer composed for sending. Fields that must not be sent are removed, missing Date and
 * Message-ID fields are added (RFC 6409 section 8), and a body of UTF-8 that is not labelled gets its label. Unless the
 * message is signed, non-ASCII text in the header is encoded, lines that are too long are folded, and what servers
 * refuse if it stands there twice stands there once. Everything else is unchanged, byte for byte.
 *
 * Where nothing needs to change, the result is the given message and not a copy.
 */
export function finishMessage(message: Uint8Array, options: FinishingOptions): Uint8Array {
  const { headerEnd, bodyStart } = splitMessage(message);
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const header = bytes.subarray(0, headerEnd);
  const isSigned = /^dkim-signature[ \t]*:/im.test(header.toString('latin1'));
  /** The pieces of each field. */
  const kept: Buffer[][] = [];
  /** Place of the first field with each name. */
  const places = new Map<string, number>();
  let isChanged = false;
  for (const { lowerName, start, end } of fieldsOf(bytes, headerEnd)) {
    const field = bytes.subarray(start, end);
    if (lowerName === undefined ? isMailboxLine(bytes, start) : mustRemove(lowerName, field, options)) {
      isChanged = true;
      continue;
    }
    const written = isSigned || lowerName === undefined ? field : asciiField(field);
    isChanged ||= written !== field;
    const first = isSigned || lowerName === undefined ? undefined : kept[places.get(lowerName) ?? -1];
    if (first !== undefined && lists.has(lowerName as string)) join(first, written);
    else if (first === undefined || !single.has(lowerName as string)) {
      if (lowerName !== undefined && first === undefined) places.set(lowerName, kept.length);
      kept.push([written]);
      continue;
    }
    isChanged = true;
  }
  const label = isSigned ? '' : labelFor(bytes.subarray(bodyStart), places);
  const added = label + missingFields(places, options);
  if (!isChanged && added === '') return message;
  return Buffer.concat([Buffer.from(added, 'latin1'), ...kept.flat(), bytes.subarray(headerEnd)]);
}

/** Adds the addresses of another field with the same name. */
function join(pieces: Buffer[], other: Buffer): void {
  // Not trimEnd(): it would also remove bytes of UTF-8 that are white space in latin1.
  const trimmed = (field: Buffer): string => withoutTrailing(field.toString('latin1'), ' \t\r\n');
  const value = trimmed(other.subarray(other.indexOf(':') + 1)).trimStart();
  if (value === '') return;
  const last = trimmed(pieces.pop() as Buffer);
  const separator = last.endsWith(':') ? ' ' : ',\r\n ';
  pieces.push(Buffer.from(last, 'latin1'), Buffer.from(`${separator}${value}\r\n`, 'latin1'));
}

/** Without a label, text beyond ASCII is not shown by some readers, and by others in the charset of their user. */
function labelFor(body: Buffer, present: ReadonlyMap<string, unknown>): string {
  if (present.has('content-type') || isAscii(body) || !isUtf8(body)) return '';
  const version = present.has('mime-version') ? '' : 'MIME-Version: 1.0\r\n';
  const encoding = present.has('content-transfer-encoding') ? '' : 'Content-Transfer-Encoding: 8bit\r\n';
  return `${version}Content-Type: text/plain; charset=utf-8\r\n${encoding}`;
}

interface FieldPosition {
  /** Undefined for lines that belong to no field. */
  readonly lowerName: string | undefined;
  readonly start: number;
  /** Position after its last CRLF. */
  readonly end: number;
}

/** Fields with their continuation lines, and lines that belong to no field, in order and without gaps. */
function* fieldsOf(bytes: Buffer, headerEnd: number): Generator<FieldPosition> {
  for (let start = 0; start < headerEnd;) {
    const end = endOfField(bytes, start, headerEnd);
    const colon = bytes.subarray(start, end).indexOf(0x3a);
    const name = colon <= 0 ? '' : fieldNameOf(bytes.toString('latin1', start, start + colon), colon);
    yield { lowerName: /^[\x21-\x39\x3b-\x7e]+$/.test(name) ? name : undefined, start, end };
    start = end;
  }
}

function endOfField(bytes: Buffer, start: number, headerEnd: number): number {
  for (let from = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', from, 'latin1');
    if (lineEnd < 0 || lineEnd + 2 >= headerEnd) return headerEnd;
    const next = bytes[lineEnd + 2];
    if (next !== 0x20 && next !== 0x09) return lineEnd + 2;
    from = lineEnd + 2;
  }
}

/** An empty Date or Message-ID is removed, as if it were missing. One with a value is kept, whatever the value is. */
function mustRemove(lowerName: string, field: Buffer, { isDropped }: FinishingOptions): boolean {
  if (isDropped(lowerName)) return true;
  if (lowerName !== 'date' && lowerName !== 'message-id') return false;
  return (
    field
      .toString('latin1')
      .replace(/^[^:]*:/, '')
      .trim() === ''
  );
}

/** The line `From someone Sat Nov 21 …` of mailbox files, which some programs leave in front of the header. */
function isMailboxLine(bytes: Buffer, start: number): boolean {
  return start === 0 && /^>?From /.test(bytes.toString('latin1', 0, 6));
}

function missingFields(present: ReadonlyMap<string, unknown>, { messageId, date }: FinishingOptions): string {
  const fields: string[] = [];
  if (!present.has('date')) fields.push(`Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`);
  if (!present.has('message-id')) fields.push(`Message-ID: ${messageId}\r\n`);
  return fields.join('');
}
