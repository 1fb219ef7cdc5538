/** Bytes that are appended to, in one piece of memory: a thousand tiny chunks hold no more than their bytes. */
export class GrowingBytes {
  private buffer: Buffer;
  private used = 0;

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.used;
  }

  /** Valid until the next change. */
  get view(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  append(bytes: Uint8Array): void {
    const needed = this.used + bytes.length;
    if (needed > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2));
      larger.set(this.view);
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.used);
    this.used = needed;
  }

  /** Valid until the next change. */
  from(start: number): Buffer {
    return this.buffer.subarray(start, this.used);
  }

  truncate(length: number): void {
    this.used = length;
  }
}
