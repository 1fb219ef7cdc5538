/** Smaller buffers are not kept, because they cost little. */
const minBytes = 16 * 1024;
/** Larger buffers are not kept. */
const maxBytes = 512 * 1024;

/**
 * Reuses the buffers of bodies that have been read. Newly allocated large buffers count towards the next full garbage
 * collection, which begins after every 64 MB.
 */
export class SpareBuffers {
  /** Free buffers by size, a power of two. */
  private readonly spares = new Map<number, Buffer[]>();
  private keptBytes = 0;

  constructor(private readonly maxKeptBytes: number) {}

  /** A buffer of at least this size, with any content. */
  take(bytes: number): Buffer {
    if (bytes < minBytes || bytes > maxBytes || this.maxKeptBytes === 0) return Buffer.allocUnsafeSlow(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const spare = this.spares.get(size)?.pop();
    if (spare === undefined) return Buffer.allocUnsafeSlow(size);
    this.keptBytes -= size;
    return spare;
  }

  /** Returns a buffer for reuse. The caller must not use it afterwards. */
  release(buffer: Buffer): void {
    const size = buffer.length;
    if (size < minBytes || size > maxBytes || this.keptBytes + size > this.maxKeptBytes) return;
    if (!Number.isInteger(Math.log2(size))) return;
    this.keptBytes += size;
    const spares = this.spares.get(size);
    if (spares === undefined) this.spares.set(size, [buffer]);
    else spares.push(buffer);
  }
}
