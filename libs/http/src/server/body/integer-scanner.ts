import { CutOutIntegers } from './cut-out-integers.js';

const space = 0x20;
const comma = 0x2c;
const zero = 0x30;
const nine = 0x39;
const closingBracket = 0x5d;

export function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

export function isWhitespace(byte: number): boolean {
  return byte === space || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b && byte !== 0x0c);
}

/** Reads the inside of an array of integers from 0 to 255, in blocks as they arrive. */
export class IntegerScanner {
  readonly taken = new CutOutIntegers();
  /** The number that is being read. -1: none. */
  private value = -1;
  private state: 'before number' | 'in number' | 'after number' = 'before number';

  /**
   * Reads from `start`. `at` is the position after the closing bracket, or of the first unexpected byte, or the length
   * of the block at its end.
   */
  read(block: Buffer, start: number): { readonly at: number; readonly ended: 'no' | 'closed' | 'unexpected' } {
    let at = start;
    for (; at < block.length; at++) {
      const byte = block[at] as number;
      if (isDigit(byte)) {
        if (!this.takeDigit(byte - zero)) return { at, ended: 'unexpected' };
      } else if (byte === comma && this.state !== 'before number') {
        this.endNumber();
        this.state = 'before number';
      } else if (isWhitespace(byte)) {
        if (this.state === 'in number') this.endNumber();
      } else if (byte === closingBracket && this.state !== 'before number') {
        this.endNumber();
        return { at: at + 1, ended: 'closed' };
      } else return { at, ended: 'unexpected' };
    }
    return { at, ended: 'no' };
  }

  /**
   * JSON for an array with an unexpected byte: `placeholder` in place of the numbers so far, and the number that is
   * being read.
   */
  unfinished(placeholder: string): string {
    const number = this.state === 'in number' ? String(this.value) : '';
    return this.state === 'after number' ? placeholder : `${placeholder},${number}`;
  }

  private takeDigit(digit: number): boolean {
    if (this.state === 'after number') return false;
    if (this.state === 'in number' && (this.value === 0 || this.value * 10 + digit > 255)) return false;
    this.value = this.state === 'in number' ? this.value * 10 + digit : digit;
    this.state = 'in number';
    return true;
  }

  private endNumber(): void {
    if (this.state === 'in number') this.taken.push(this.value);
    this.state = 'after number';
  }
}
