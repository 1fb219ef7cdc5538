import { EncodedBytes, withoutDataUri } from '#kernel';
import { invalidJson } from './body-limits.js';

const lastCharacters = /^[A-Za-z0-9+/_-]*={0,2}$/;
/** Enough for three characters of an incomplete group and two of padding. */
const maxLastCharacters = 8;

/**
 * Decodes a long base64 string piece by piece while it arrives. White space is ignored. Both alphabets and missing
 * padding are supported, and a data URI.
 */
export class CutOutBase64 {
  private readonly pieces: Buffer[] = [];
  /** Characters of an incomplete group, and all characters from the first `=` on. */
  private rest = '';
  private hasBegun = false;
  private isValid = true;
  private decodedBytes = 0;

  /** Size in base64. */
  get bytes(): number {
    return Math.ceil(this.decodedBytes / 3) * 4;
  }

  /** @param raw bytes between the quotes, not cut within an escape. */
  push(raw: Buffer): void {
    if (!this.isValid) return;
    // The first piece is longer than what stands in front of the base64 in a data URI.
    const text = this.hasBegun ? this.rest + unescaped(raw) : withoutDataUri(unescaped(raw));
    this.hasBegun = true;
    if (!this.take(text) && !this.take(text.replace(/\s+/g, ''))) this.takeLast(text.replace(/\s+/g, ''));
  }

  end(): EncodedBytes {
    if (!this.isValid || !lastCharacters.test(this.rest)) return new EncodedBytes(undefined);
    this.pieces.push(Buffer.from(this.rest, 'base64'));
    return new EncodedBytes(Buffer.concat(this.pieces.splice(0)));
  }

  /** Decodes all complete groups. Returns false if the text contains anything else. */
  private take(text: string): boolean {
    const whole = text.length - (text.length % 4);
    const decoded = Buffer.from(text.slice(0, whole), 'base64');
    // The decoder skips characters that are not base64, so the result is too short.
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
