import { EncodedBytes } from '#kernel';

const pieceBytes = 64 * 1024;

/** Collects an array of integers from 0 to 255 as bytes. */
export class CutOutIntegers {
  private readonly pieces: Buffer[] = [];
  private piece = Buffer.allocUnsafeSlow(1_024);
  private used = 0;
  private count = 0;

  /** Size in base64. */
  get bytes(): number {
    return Math.ceil(this.count / 3) * 4;
  }

  push(octet: number): void {
    if (this.used === this.piece.length) {
      this.pieces.push(this.piece);
      this.piece = Buffer.allocUnsafeSlow(pieceBytes);
      this.used = 0;
    }
    this.piece[this.used++] = octet;
    this.count++;
  }

  end(): EncodedBytes {
    const bytes = Buffer.concat([...this.pieces.splice(0), this.piece.subarray(0, this.used)]);
    return new EncodedBytes(bytes, 'integers');
  }
}
