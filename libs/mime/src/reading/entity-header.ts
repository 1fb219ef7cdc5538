import { isUtf8 } from 'node:buffer';
import { decodeText } from './charsets.js';
import { decodeEncodedWords } from './decode-words.js';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Maximum number of characters of a field value. The rest is dropped, because it is of no use to readers. */
const maxValueLength = 8_000;
/** Maximum number of lines of a folded field. The rest is dropped. */
const maxLinesPerField = 1_000;

export interface EntityField {
  /** Name in its original case. */
  readonly name: string;
  /** Unfolded value with one character per byte. Encoded words are not decoded. */
  readonly value: string;
}

/** The message has more parts, levels or header bytes than the limits allow. Real messages have fewer. */
export class MimeTooComplexError extends Error {}

/** The header of a message or of a part: its fields in order, and where the body begins. */
export class EntityHeader {
  private readonly first = new Map<string, string>();

  constructor(
    readonly fields: readonly EntityField[],
    /** Position of the first byte after the empty line. */
    readonly bodyStart: number,
  ) {
    for (const { name, value } of fields) {
      const key = name.toLowerCase();
      if (!this.first.has(key)) this.first.set(key, value);
    }
  }

  /** Raw value of the first field with this lower-case name. */
  raw(name: string): string | undefined {
    return this.first.get(name);
  }

  /** Decoded value of the first field with this lower-case name. */
  text(name: string): string | undefined {
    const value = this.first.get(name);
    return value === undefined ? undefined : readable(value);
  }
}

/**
 * Decodes a value for readers: encoded words, and non-ASCII bytes as UTF-8 if they are valid, otherwise as
 * Windows-1252.
 */
export function readable(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return decodeEncodedWords(value);
  const bytes = Buffer.from(value, 'latin1');
  return decodeText(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

/**
 * Reads the header that begins at `from`. It ends with an empty line, before a delimiter line of an enclosing
 * multipart, or at the end of the bytes; and before a line that is no field, if no field follows, since the empty line is
 * missing then. Takes linear time. Throws MimeTooComplexError if the header has more than
 * `maxBytes` bytes.
 */
export function readEntityHeader(
  bytes: Buffer,
  from: number,
  maxBytes: number,
  isDelimiter: (start: number) => boolean,
): EntityHeader {
  const fields: EntityField[] = [];
  let lines: string[] = [];
  let lineBefore = '';
  let fieldAt = from;
  /** The first line behind the last field that is no field. */
  let strayAt: number | undefined;
  const endField = (): void => {
    const line = lines.join(' ');
    const field = fieldOf(line);
    if (field !== undefined) fields.push(field);
    if (field !== undefined || /^>?From /.test(line)) strayAt = undefined;
    // Some programs do not indent a parameter on a line of its own.
    else if (line.trim() !== '' && !/;\s*$/.test(lineBefore)) strayAt ??= fieldAt;
    lineBefore = line;
    lines = [];
  };
  let at = from;
  while (at < bytes.length && !isDelimiter(at)) {
    const lineFeedAt = bytes.indexOf(lineFeed, at);
    const next = lineFeedAt < 0 ? bytes.length : lineFeedAt + 1;
    if (next - from > maxBytes) throw new MimeTooComplexError(`A header has more than ${maxBytes} bytes`);
    let end = lineFeedAt < 0 ? bytes.length : lineFeedAt;
    while (end > at && bytes[end - 1] === carriageReturn) end--;
    const line = bytes.toString('latin1', at, Math.min(end, at + maxValueLength));
    const start = at;
    at = next;
    if (line === '') break;
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (!isFolded) {
      endField();
      fieldAt = start;
    }
    if (lines.length < maxLinesPerField) lines.push(isFolded ? line.trimStart() : line);
  }
  endField();
  const header = new EntityHeader(fields, at);
  const isEncoded = /base64|quoted-printable/i.test(header.raw('content-transfer-encoding') ?? '');
  return strayAt === undefined || isEncoded ? header : new EntityHeader(fields, strayAt);
}

function fieldOf(line: string): EntityField | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon)).trimEnd();
  if (name === '' || /[ \t]/.test(name)) return undefined;
  const value = line.slice(colon + 1, colon + 1 + maxValueLength);
  return { name, value: value.replace(/\s+/g, ' ').trim() };
}
