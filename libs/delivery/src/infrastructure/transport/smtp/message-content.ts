/** What the client must know of a message's bytes before it sends them. */
export interface ContentInspection {
  /** A CR without LF or an LF without CR is among them. */
  readonly hasBareLineBreak: boolean;
  readonly hasEightBit: boolean;
  /** Lines that start with a dot. */
  readonly dottedLines: number;
}

const cr = 0x0d;
const lf = 0x0a;
const dot = 0x2e;

/** One pass over the bytes, because this runs for every message. */
export function inspectContent(content: Uint8Array): ContentInspection {
  const length = content.length;
  let hasBareLineBreak = false;
  let dottedLines = length > 0 && content[0] === dot ? 1 : 0;
  let bits = 0;
  for (let at = 0; at < length; at++) {
    const byte = content[at] as number;
    bits |= byte;
    if (byte > cr) continue;
    if (byte === cr) {
      if (at + 1 >= length || content[at + 1] !== lf) {
        hasBareLineBreak = true;
        continue;
      }
      at++;
      if (at + 1 < length && content[at + 1] === dot) dottedLines++;
    } else if (byte === lf) {
      hasBareLineBreak = true;
    }
  }
  return { hasBareLineBreak, hasEightBit: bits > 0x7f, dottedLines };
}

/**
 * The content as it goes between DATA and the final dot (RFC 5321 section 4.5.2), ending with CRLF.
 *
 * The very bytes given, not a copy, where no line starts with a dot and the end is as it should be.
 */
export function dotStuffed(content: Uint8Array, dottedLines: number): Uint8Array {
  const length = content.length;
  const isTerminated = length === 0 || (length > 1 && content[length - 2] === cr && content[length - 1] === lf);
  if (dottedLines === 0 && isTerminated) return content;

  const source = Buffer.from(content.buffer, content.byteOffset, length);
  const stuffed = Buffer.allocUnsafe(length + dottedLines + (isTerminated ? 0 : 2));
  let from = 0;
  let to = 0;
  if (source[0] === dot) stuffed[to++] = dot;
  for (let at = source.indexOf('\r\n.'); at >= 0; at = source.indexOf('\r\n.', from)) {
    to += source.copy(stuffed, to, from, at + 2);
    stuffed[to++] = dot;
    from = at + 2;
  }
  to += source.copy(stuffed, to, from);
  if (!isTerminated) stuffed.write('\r\n', to, 'latin1');
  return stuffed;
}
