const cr = 0x0d;
const lf = 0x0a;
const dot = 0x2e;

/**
 * Position of the next byte. These are numbers and not an enum because they are used for every byte of every message.
 */
const inLine = 0;
const afterCr = 1;
const lineStart = 2;
/** After a dot at the start of a line. The dot is left out unless it ends the content. */
const afterDot = 3;
/** After a dot and a CR at the start of a line. */
const afterDotCr = 4;

const dotAtStart = Buffer.from('\n.');

export interface Unstuffed {
  /** Content without the added dots. It may be the given chunk itself. */
  readonly content: Buffer;
  /** The bytes after the end of the content in the same chunk; undefined while the content continues. */
  readonly rest: Buffer | undefined;
}

/**
 * Removes the transparency dots from the content of DATA and finds its end (RFC 5321 section 4.5.2), which is exactly a
 * line with a single dot between two CRLF. A bare CR or LF does not end a line.
 *
 * Examines each byte once, however the content is cut into chunks, and holds none of it. A chunk without a dot at the
 * start of a line is passed on without a copy, 20 times as fast as byte by byte.
 */
export class DotStuffing {
  private position = lineStart;

  push(chunk: Buffer): Unstuffed {
    if (chunk.length === 0) return { content: chunk, rest: undefined };
    const isSettled = this.position < lineStart || (this.position === lineStart && chunk[0] !== dot);
    // The first byte may be the LF of a CRLF that began in the previous chunk.
    const first = isSettled ? chunk.indexOf(dotAtStart) : 0;
    if (first < 0) {
      this.position = this.positionAt(chunk, chunk.length);
      return { content: chunk, rest: undefined };
    }
    return this.copyFrom(chunk, isSettled ? first + 1 : 0);
  }

  /** The position of the byte at `end`, if no dot before it is at the start of a line. */
  private positionAt(chunk: Buffer, end: number): number {
    if (end === 0) return this.position;
    const last = chunk[end - 1];
    if (last === cr) return afterCr;
    const isBehindCr = end > 1 ? chunk[end - 2] === cr : this.position === afterCr;
    return last === lf && isBehindCr ? lineStart : inLine;
  }

  private copyFrom(chunk: Buffer, start: number): Unstuffed {
    // One more byte, because a CR of the previous chunk may turn out to be content.
    const content = Buffer.allocUnsafe(chunk.length + 1);
    content.set(chunk.subarray(0, start));
    let position = this.positionAt(chunk, start);
    let length = start;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (position === lineStart && byte === dot) {
        position = afterDot;
        continue;
      }
      if (position === afterDot && byte === cr) {
        position = afterDotCr;
        continue;
      }
      if (position === afterDotCr) {
        if (byte === lf) {
          this.position = lineStart;
          return { content: content.subarray(0, length), rest: chunk.subarray(at + 1) };
        }
        content[length++] = cr;
      }
      content[length++] = byte;
      if (byte === cr) position = afterCr;
      else position = byte === lf && position === afterCr ? lineStart : inLine;
    }
    this.position = position;
    return { content: content.subarray(0, length), rest: undefined };
  }
}
