import { isAscii } from 'node:buffer';
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

/**
 * Prepares a message that the customer composed for sending. Fields that must not be sent are removed, missing Date and
 * Message-ID fields are added (RFC 6409 section 8), and non-ASCII text in the header is encoded unless the message is
 * signed. Everything else is unchanged, byte for byte. The body is not read.
 *
 * Where nothing needs to change, the result is the given message and not a copy.
 */
export function finishMessage(message: Uint8Array, options: FinishingOptions): Uint8Array {
  const { headerEnd } = splitMessage(message);
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const header = bytes.subarray(0, headerEnd);
  const mustEncode = !isAscii(header) && !/^dkim-signature[ \t]*:/im.test(header.toString('latin1'));
  const kept: Buffer[] = [];
  const present = new Set<string>();
  let dropsAny = false;
  for (const { lowerName, start, end } of fieldsOf(bytes, headerEnd)) {
    if (
      lowerName === undefined ? isMailboxLine(bytes, start) : mustRemove(lowerName, bytes.subarray(start, end), options)
    ) {
      dropsAny = true;
      continue;
    }
    if (lowerName !== undefined) present.add(lowerName);
    const field = bytes.subarray(start, end);
    kept.push(mustEncode && lowerName !== undefined ? asciiField(field) : field);
  }
  const added = missingFields(present, options);
  if (!dropsAny && !mustEncode && added === '') return message;
  return Buffer.concat([Buffer.from(added, 'latin1'), ...kept, bytes.subarray(headerEnd)]);
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

function missingFields(present: ReadonlySet<string>, { messageId, date }: FinishingOptions): string {
  const fields: string[] = [];
  if (!present.has('date')) fields.push(`Date: ${date.toUTCString().replace('GMT', '+0000')}\r\n`);
  if (!present.has('message-id')) fields.push(`Message-ID: ${messageId}\r\n`);
  return fields.join('');
}
