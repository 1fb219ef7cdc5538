const cr = 0x0d;
const lf = 0x0a;
const dot = 0x2e;

/** Where the next byte stands. */
enum Position {
  InLine,
  AfterCr,
  LineStart,
  /** Behind a dot at the start of a line, which is left out unless it ends the content. */
  AfterDot,
  /** Behind a dot and a CR at the start of a line. */
  AfterDotCr,
}

export interface Unstuffed {
  /** Content without the dots that were put before it. May be the given chunk itself. */
  readonly content: Uint8Array;
  /** What follows the end of the content in the same chunk; undefined while the content goes on. */
  readonly rest: Uint8Array | undefined;
}

/**
 * Takes the transparency dots out of the content of DATA and finds its end (RFC 5321 section 4.5.2): a line of a single
 * dot between two CRLF, and nothing else. A bare CR or LF is not the end of a line.
 *
 * Looks at each byte once, however the content is cut into chunks, and holds none of it. A chunk without a dot at the
 * start of a line is passed on without a copy.
 */
export class DotStuffing {
  private position = Position.LineStart;

  push(chunk: Uint8Array): Unstuffed {
    let position = this.position;
    let at = 0;
    while (at < chunk.length) {
      const byte = chunk[at] as number;
      if (byte === dot && position === Position.LineStart) break;
      if (position > Position.LineStart) break;
      if (byte === cr) position = Position.AfterCr;
      else position = byte === lf && position === Position.AfterCr ? Position.LineStart : Position.InLine;
      at++;
    }
    this.position = position;
    if (at === chunk.length) return { content: chunk, rest: undefined };
    return this.copyFrom(chunk, at);
  }

  /** The part before `start` has been looked at. */
  private copyFrom(chunk: Uint8Array, start: number): Unstuffed {
    // One byte more: a CR of the chunk before may turn out to be content.
    const content = new Uint8Array(chunk.length + 1);
    content.set(chunk.subarray(0, start));
    let position = this.position;
    let length = start;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (position === Position.LineStart && byte === dot) {
        position = Position.AfterDot;
        continue;
      }
      if (position === Position.AfterDot && byte === cr) {
        position = Position.AfterDotCr;
        continue;
      }
      if (position === Position.AfterDotCr) {
        if (byte === lf) {
          this.position = Position.LineStart;
          return { content: content.subarray(0, length), rest: chunk.subarray(at + 1) };
        }
        content[length++] = cr;
      }
      const isAfterCr = position === Position.AfterCr;
      content[length++] = byte;
      if (byte === cr) position = Position.AfterCr;
      else position = byte === lf && isAfterCr ? Position.LineStart : Position.InLine;
    }
    this.position = position;
    return { content: content.subarray(0, length), rest: undefined };
  }
}
