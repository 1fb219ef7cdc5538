import { SpareBuffers } from './spare-buffers.js';

const noSpares = new SpareBuffers(0);

/** A growing buffer in one piece of memory, so that many tiny chunks have no overhead. */
export class GrowingBytes {
  private buffer: Buffer;
  private used = 0;

  /** @param spares provides the memory. */
  constructor(
    capacity: number,
    private readonly spares = noSpares,
  ) {
    this.buffer = spares.take(capacity);
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
      const larger = this.spares.take(Math.max(needed, this.buffer.length * 2));
      larger.set(this.view);
      this.spares.release(this.buffer);
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

  /** Releases the memory. Neither the buffer nor any view of it may be used afterwards. */
  free(): void {
    this.spares.release(this.buffer);
    this.buffer = Buffer.alloc(0);
    this.used = 0;
  }
}
