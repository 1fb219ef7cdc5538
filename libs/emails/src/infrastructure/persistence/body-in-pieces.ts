import { headerLength, readBodyHeader } from '../../application/stored-content.js';

export interface BodyInPieces {
  readonly html: AsyncIterable<Uint8Array> | null;
  readonly text: AsyncIterable<Uint8Array> | null;
}

/**
 * Splits a stored body, which arrives in pieces of any size, into html and text. The html must be read to its end
 * before the text.
 */
export async function bodyInPieces(stored: AsyncIterator<Uint8Array>): Promise<BodyInPieces> {
  const source = new Pieces(stored);
  const { htmlLength, hasHtml, hasText } = readBodyHeader(await source.exactly(headerLength));
  return { html: hasHtml ? source.upTo(htmlLength) : null, text: hasText ? source.upTo(Infinity) : null };
}

class Pieces {
  private held: Uint8Array = new Uint8Array();

  constructor(private readonly source: AsyncIterator<Uint8Array>) {}

  async exactly(length: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.upTo(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async *upTo(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      if (this.held.length === 0) {
        const next = await this.source.next();
        if (next.done === true) return;
        this.held = next.value;
      }
      const piece = this.held.subarray(0, left);
      this.held = this.held.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
}
