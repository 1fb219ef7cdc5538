import { isUtf8 } from 'node:buffer';
import { hasNul, invalidJson, notUtf8 } from './body-limits.js';

/** A long string of a body, decoded piece by piece while it arrives. */
export class CutOutText {
  private text = '';
  /** In UTF-8. */
  bytes = 0;

  /** @param raw as it stands between the quotes, cut neither within an escape nor within a character. */
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
