import { maxLineLength } from './header-field.js';

export type TransferEncoding = '7bit' | 'quoted-printable' | 'base64';

/** A body that is ready to be sent: ASCII bytes, CRLF line ends, no line longer than 998 bytes. */
export interface EncodedBody {
  readonly encoding: TransferEncoding;
  readonly content: string | Uint8Array;
}

const equals = 0x3d;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Maximum length of an encoded line without CRLF (RFC 2045 sections 6.7 and 6.8). */
const encodedLineLength = 76;
const bytesPerBase64Line = (encodedLineLength / 4) * 3;
const tab = 0x09;
const space = 0x20;
/** 1 for bytes that quoted-printable writes as they are inside a line: printable ASCII, spaces and tabs (RFC 2045 section 6.7). */
const isLiteral = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === tab || (byte >= space && byte <= 0x7e && byte !== equals) ? 1 : 0,
);
/** 1 for bytes that quoted-printable writes as three. */
const isSpecial = Uint8Array.from({ length: 256 }, (_, byte) =>
  isLiteral[byte] === 1 || byte === carriageReturn || byte === lineFeed ? 0 : 1,
);

const hexDigits = Buffer.from('0123456789ABCDEF', 'latin1');

/**
 * Encodes text as UTF-8. Every kind of line end becomes CRLF, and lone surrogates become U+FFFD.
 *
 * ASCII text is sent as 7bit; only native calls check and convert it. Other text is sent as quoted-printable, which
 * people and spam filters can read, or as base64 if that is smaller.
 */
export function encodeText(text: string): EncodedBody {
  const normalised = normaliseLineEnds(text);
  const isAscii = Buffer.byteLength(normalised) === normalised.length;
  if (isAscii && !normalised.includes('\0') && hasShortLines(normalised)) {
    return { encoding: '7bit', content: normalised };
  }

  const bytes = utf8Of(normalised);
  const specials = countSpecials(bytes);
  const isReadable = specials * 2 <= bytes.length / 3;
  if (isReadable) return { encoding: 'quoted-printable', content: quotedPrintable(bytes, specials) };
  return { encoding: 'base64', content: base64Lines(bytes) };
}

/**
 * Memory of one encoding, which ends before the next one begins. New memory for each text of 100 KB costs more than
 * encoding it, since every page of it is touched for the first time.
 */
const scratch = { utf8: Buffer.alloc(0), encoded: Buffer.alloc(0) };
const maxScratchBytes = 1024 * 1024;

function scratchOf(use: keyof typeof scratch, length: number): Buffer {
  if (length > maxScratchBytes) return Buffer.allocUnsafe(length);
  if (scratch[use].length < length) scratch[use] = Buffer.allocUnsafeSlow(Math.min(maxScratchBytes, length * 2));
  return scratch[use];
}

/** Valid until the next text is encoded. */
function utf8Of(text: string): Buffer {
  const target = scratchOf('utf8', Buffer.byteLength(text));
  return target.subarray(0, target.write(text, 'utf8'));
}

/**
 * Encodes the bytes of a text, in the `preferred` encoding (the one in which they arrived) if that is still possible.
 * Lines that have become too long for 7bit or 8bit are sent as quoted-printable. Where some line does not end with
 * CRLF, base64 is used, because only base64 keeps the bytes unchanged.
 */
export function encodeTextBytes(bytes: Uint8Array, preferred: string): { encoding: string; content: Uint8Array } {
  if (preferred === 'base64') return { encoding: 'base64', content: base64Lines(bytes) };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (preferred !== 'quoted-printable' && hasShortLines(text)) return { encoding: preferred, content: bytes };
  if (hasBareLineEnd(text)) return { encoding: 'base64', content: base64Lines(bytes) };
  return { encoding: 'quoted-printable', content: quotedPrintable(bytes, countSpecials(bytes)) };
}

/** Base64 in lines of 76 characters (RFC 2045 section 6.8), without a line end after the last line. */
export function base64Lines(bytes: Uint8Array): Uint8Array {
  const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const lines = Math.max(1, Math.ceil(bytes.length / bytesPerBase64Line));
  const target = Buffer.allocUnsafe(encoded.length + (lines - 1) * 2);
  // One native write encodes everything. Then each line is moved right by two bytes per line before it, the last line
  // first.
  target.write(encoded, 0, 'latin1');
  for (let line = lines - 1; line > 0; line--) {
    const from = line * encodedLineLength;
    const to = from + line * 2;
    target.copyWithin(to, from, Math.min(from + encodedLineLength, encoded.length));
    target[to - 2] = carriageReturn;
    target[to - 1] = lineFeed;
  }
  return target;
}

/**
 * Whether bytes can be sent as 7bit: ASCII, only CRLF line ends, no NUL, no line longer than 998 bytes (RFC 2045
 * section 2.7).
 */
export function isSevenBit(bytes: Uint8Array): boolean {
  let lineStart = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === 0 || byte > 0x7e) return false;
    if (byte === carriageReturn && bytes[at + 1] !== lineFeed) return false;
    if (byte !== lineFeed) continue;
    if (bytes[at - 1] !== carriageReturn || at - 1 - lineStart > maxLineLength) return false;
    lineStart = at + 1;
  }
  return bytes.length - lineStart <= maxLineLength;
}

function normaliseLineEnds(text: string): string {
  if (text.includes('\r')) return text.replace(/\r\n?|\n/g, '\r\n');
  return text.includes('\n') ? text.replaceAll('\n', '\r\n') : text;
}

function hasBareLineEnd(text: string): boolean {
  return text.replaceAll('\r\n', '').search(/[\r\n]/) >= 0;
}

function hasShortLines(text: string): boolean {
  let start = 0;
  while (text.length - start > maxLineLength) {
    // Searching backwards from the last permitted position needs one search per 998 bytes instead of one per line.
    const end = text.lastIndexOf('\r\n', start + maxLineLength);
    if (end < start) return false;
    start = end + 2;
  }
  return true;
}

function countSpecials(bytes: Uint8Array): number {
  const { length } = bytes;
  let count = 0;
  for (let at = 0; at < length; at++) count += isSpecial[bytes[at] as number] as number;
  return count;
}

/**
 * Encodes bytes whose line ends are CRLF (RFC 2045 section 6.7). A soft break is never inside a character, so that
 * truncated text stays readable.
 *
 * Nearly all bytes pass through the innermost loop, which only looks up and copies: 100 KB of one line take 0.15 ms.
 */
function quotedPrintable(bytes: Uint8Array, specials: number): Uint8Array {
  const { length } = bytes;
  const target = scratchOf('encoded', maxQuotedPrintableLength(length, specials));
  let to = 0;
  let column = 0;
  let at = 0;
  while (at < length) {
    // The last column is reserved for the "=" of a soft break.
    const start = at;
    const stop = Math.min(length, at + encodedLineLength - 1 - column);
    while (at < stop) {
      const byte = bytes[at] as number;
      if (isLiteral[byte] === 0) break;
      target[to++] = byte;
      at++;
    }
    column += at - start;
    if (at > start && endsLine(bytes, at) && isWhiteSpace(bytes[at - 1])) {
      // White space in front of a line end would be removed on the way.
      to--;
      column--;
      at--;
    } else if (at === length) break;

    const byte = bytes[at] as number;
    if (byte === carriageReturn || byte === lineFeed) {
      target[to++] = byte;
      column = 0;
      at++;
      continue;
    }
    const end = byte < 0x80 ? at + 1 : endOfCharacter(bytes, at);
    const isPlain = isLiteral[byte] === 1 && !(isWhiteSpace(byte) && endsLine(bytes, end));
    const width = isPlain ? 1 : (end - at) * 3;
    if (column + width > encodedLineLength - (endsLine(bytes, end) ? 0 : 1)) {
      target[to++] = equals;
      target[to++] = carriageReturn;
      target[to++] = lineFeed;
      column = 0;
    }
    column += width;
    if (isPlain) target[to++] = byte;
    else {
      for (let index = at; index < end; index++) {
        const escaped = bytes[index] as number;
        target[to++] = equals;
        target[to++] = hexDigits[escaped >> 4] as number;
        target[to++] = hexDigits[escaped & 0x0f] as number;
      }
    }
    at = end;
  }
  return Buffer.from(target.subarray(0, to));
}

/**
 * White space before a line end grows by two bytes, at most once per line. A soft break comes after at least 64
 * columns.
 */
function maxQuotedPrintableLength(length: number, specials: number): number {
  const encoded = length * 2 + specials * 2 + 2;
  return encoded + Math.ceil(encoded / (encodedLineLength - 12)) * 3;
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === space || byte === tab;
}

function endsLine(bytes: Uint8Array, at: number): boolean {
  return at === bytes.length || bytes[at] === carriageReturn;
}

function endOfCharacter(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && ((bytes[at] as number) & 0xc0) === 0x80) at++;
  return at;
}
