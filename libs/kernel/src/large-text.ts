/**
 * Long text that a request came with, as UTF-8: well-formed, without NUL.
 *
 * Bytes lie outside of the heap of JavaScript. As strings, the texts of emails that wait for their commit and for their host
 * were copied by each collection of the young generation: 0.49 ms of pauses for an email of 100 KB, against 0.18.
 */
export class LargeText {
  private constructor(
    readonly bytes: Buffer,
    /** Of the string, in UTF-16 units. */
    readonly length: number,
  ) {}

  static from(text: string): LargeText {
    return new LargeText(Buffer.from(text), text.length);
  }

  toString(): string {
    return this.bytes.toString();
  }

  /** Its first characters, at least so many where it has them. */
  beginning(characters: number): string {
    // Four bytes are the most that one takes; what is cut within a character becomes U+FFFD behind them.
    return this.bytes.toString('utf8', 0, characters * 4);
  }
}

/** Short: a string. */
export type Text = string | LargeText;

export function bytesOfText(text: Text): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.bytes.length;
}
