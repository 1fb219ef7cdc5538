import { isUtf8 } from 'node:buffer';
import { hasNul, invalidJson, notUtf8 } from './body-limits.js';

/** Decodes a long string piece by piece while it arrives. */
export class CutOutText {
  private text = '';
  /** Size in UTF-8. */
  bytes = 0;

  /** @param raw bytes between the quotes, cut neither within an escape nor within a character. */
  push(raw: Buffer): void {
    if (!isUtf8(raw)) throw notUtf8();
    let piece: string;
    try {
      piece = JSON.parse(`"${raw.toString()}"`) as string;
    } catch {
      throw invalidJson();
    }
    if (piece.includes('\0')) throw hasNul();
    this.bytes += Buffer.byteLength(piece);
    this.text += piece;
  }

  end(): string {
    return this.text.toWellFormed();
  }
}
