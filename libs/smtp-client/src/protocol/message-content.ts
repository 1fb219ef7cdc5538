import { isAscii } from 'node:buffer';
import { splitMessage } from '#mime';

/** The properties of a message's bytes that the client must know before it sends them. */
export interface ContentInspection {
  /** Whether there is a CR without LF or an LF without CR. */
  readonly hasBareLineBreak: boolean;
  readonly hasEightBit: boolean;
  /** Whether the header section is not ASCII (RFC 6532). It then needs a server that offers SMTPUTF8. */
  readonly hasEightBitHeader: boolean;
  /** Lines that start with a dot. */
  readonly dottedLines: number;
}

const cr = 0x0d;
const lf = 0x0a;
const dot = 0x2e;
const noWords = new Int32Array(0);

/**
 * Examines every byte of every message, so it reads four bytes at a time and skips words without a byte below 0x0e,
 * which are most of them. It takes 0.6 µs per KB, against 2.4 byte by byte. Searching line by line is no faster, and 20
 * times slower where lines are empty.
 */
export function inspectContent(content: Uint8Array): ContentInspection {
  const { length } = content;
  let hasBareLineBreak = false;
  let dottedLines = content[0] === dot ? 1 : 0;

  const examine = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      if (content[at] === cr) {
        if (content[at + 1] !== lf) hasBareLineBreak = true;
        else if (content[at + 2] === dot) dottedLines++;
      } else if (content[at] === lf && content[at - 1] !== cr) {
        hasBareLineBreak = true;
      }
    }
  };

  const firstWord = length < 8 ? length : -content.byteOffset & 3;
  const words =
    length < 8 ? noWords : new Int32Array(content.buffer, content.byteOffset + firstWord, (length - firstWord) >> 2);
  examine(0, firstWord);
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as number;
    // Sets the high bit of each byte below 0x0e (Warren, Hacker's Delight, section 6-1).
    if (((word - 0x0e0e0e0e) & ~word & 0x80808080) === 0) continue;
    examine(firstWord + index * 4, firstWord + index * 4 + 4);
  }
  examine(firstWord + words.length * 4, length);
  const hasEightBit = !isAscii(content);
  const hasEightBitHeader = hasEightBit && !isAscii(content.subarray(0, splitMessage(content).headerEnd));
  return { hasBareLineBreak, hasEightBit, hasEightBitHeader, dottedLines };
}

/**
 * The content as it is sent between DATA and the final dot (RFC 5321 section 4.5.2), ending with CRLF.
 *
 * Returns the given bytes without a copy if no line starts with a dot and the content ends with CRLF.
 */
export function dotStuffed(content: Uint8Array, dottedLines: number): Uint8Array {
  const length = content.length;
  const isTerminated = length === 0 || (length > 1 && content[length - 2] === cr && content[length - 1] === lf);
  if (dottedLines === 0 && isTerminated) return content;

  const source = Buffer.from(content.buffer, content.byteOffset, length);
  const stuffed = Buffer.allocUnsafe(length + dottedLines + (isTerminated ? 0 : 2));
  const to = dottedLines * manyBytes > length ? stuffEach(source, stuffed) : stuffFew(source, stuffed);
  if (!isTerminated) stuffed.write('\r\n', to, 'latin1');
  return stuffed;
}

/** A search costs as much as copying this many bytes one by one. */
const manyBytes = 64;

/** Copies byte by byte. Twenty million bytes of dotted lines take 0.2 s, against 3.6 s with a search for each line. */
function stuffEach(source: Buffer, stuffed: Buffer): number {
  let to = 0;
  let isLineStart = true;
  let last = 0;
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] as number;
    if (isLineStart && byte === dot) stuffed[to++] = dot;
    stuffed[to++] = byte;
    isLineStart = byte === lf && last === cr;
    last = byte;
  }
  return to;
}

function stuffFew(source: Buffer, stuffed: Buffer): number {
  let from = 0;
  let to = 0;
  if (source[0] === dot) stuffed[to++] = dot;
  for (let at = source.indexOf('\r\n.'); at >= 0; at = source.indexOf('\r\n.', from)) {
    to += source.copy(stuffed, to, from, at + 2);
    stuffed[to++] = dot;
    from = at + 2;
  }
  return to + source.copy(stuffed, to, from);
}

/**
 * Whether the text may be placed between the angle brackets of MAIL FROM or RCPT TO.
 *
 * It does not check whether the address exists, only that it can be read as exactly one address: a dot-string or quoted
 * string, `@`, and a domain or address literal (RFC 5321 section 4.1.2, extended by RFC 6531). No control character,
 * bracket or unquoted blank is allowed, so that no second command or parameter can be injected.
 */
export function isEnvelopeAddress(text: string): boolean {
  return text.length <= maxPathLength && pattern.test(text) && !loneSurrogate.test(text);
}

/** Whether an address needs SMTPUTF8 (RFC 6531). */
export function needsUtf8(address: string): boolean {
  return /[^\x00-\x7f]/.test(address);
}

/** RFC 5321 section 4.5.3.1.3 counts octets including the brackets. Some longer addresses do exist. */
const maxPathLength = 512;

const pattern =
  /^(?:[^\u0000-\u0020\u007f-\u00a0\u2028\u2029()<>[\]\\,;:@"]+|"(?:[^\u0000-\u001f\u007f-\u009f\u2028\u2029"\\]|\\[\x20-\x7e])*")@(?:[^\u0000-\u0020\u007f-\u00a0\u2028\u2029()<>[\]\\,;:@"]+|\[[\x21-\x5a\x5e-\x7e]+\])$/;

const loneSurrogate = /\p{Surrogate}/u;
