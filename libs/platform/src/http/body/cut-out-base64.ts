import { EncodedBytes } from '#kernel';
import { invalidJson } from './body-limits.js';

const lastCharacters = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Three characters that do not fill a group, two of padding. */
const maxLastCharacters = 8;

/**
 * A long string that is to be base64, decoded piece by piece while it arrives. White space is passed over, both alphabets
 * and missing padding are understood.
 */
export class CutOutBase64 {
  private readonly pieces: Buffer[] = [];
  /** Characters of a group that is not complete yet, and all from the first `=` on. */
  private rest = '';
  private isValid = true;
  private decodedBytes = 0;

  /** As base64 has them. */
  get bytes(): number {
    return Math.ceil(this.decodedBytes / 3) * 4;
  }

  /** @param raw as it stands between the quotes, not cut within an escape. */
  push(raw: Buffer): void {
    if (!this.isValid) return;
    const text = this.rest + unescaped(raw);
    if (!this.take(text) && !this.take(text.replace(/\s+/g, ''))) this.takeLast(text.replace(/\s+/g, ''));
  }

  end(): EncodedBytes {
    if (!this.isValid || !lastCharacters.test(this.rest)) return new EncodedBytes(undefined);
    this.pieces.push(Buffer.from(this.rest, 'base64'));
    return new EncodedBytes(Buffer.concat(this.pieces.splice(0)));
  }

  /** Takes all complete groups, where there is nothing but groups. */
  private take(text: string): boolean {
    const whole = text.length - (text.length % 4);
    const decoded = Buffer.from(text.slice(0, whole), 'base64');
    // What is no base64 is passed over by the decoder and missing at the end.
    if (decoded.length * 4 !== whole * 3) return false;
    if (decoded.length > 0) this.pieces.push(decoded);
    this.decodedBytes += decoded.length;
    this.rest = text.slice(whole);
    return true;
  }

  private takeLast(text: string): void {
    const padding = text.indexOf('=');
    const whole = padding - (padding % 4);
    this.isValid = padding >= 0 && this.take(text.slice(0, whole));
    this.rest = text.slice(whole);
    if (this.rest.length > maxLastCharacters) this.isValid = false;
  }
}

function unescaped(raw: Buffer): string {
  const text = raw.toString('latin1');
  if (!text.includes('\\') && !/[\0-\x1f]/.test(text)) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    throw invalidJson();
  }
}
