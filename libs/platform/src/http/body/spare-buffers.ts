/** The smallest that is kept: smaller ones cost little. */
const minBytes = 16 * 1024;
/** The largest that is kept. */
const maxBytes = 512 * 1024;

/**
 * Buffers of bodies that have been read, for the next ones. Memory of large buffers that is allocated anew counts towards the
 * next full collection of the garbage collector, which begins every 64 MB.
 */
export class SpareBuffers {
  /** By size, a power of two. */
  private readonly spares = new Map<number, Buffer[]>();
  private keptBytes = 0;

  constructor(private readonly maxKeptBytes: number) {}

  /** At least of this size, with whatever was in it. */
  take(bytes: number): Buffer {
    if (bytes < minBytes || bytes > maxBytes || this.maxKeptBytes === 0) return Buffer.allocUnsafeSlow(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const spare = this.spares.get(size)?.pop();
    if (spare === undefined) return Buffer.allocUnsafeSlow(size);
    this.keptBytes -= size;
    return spare;
  }

  /** Nobody reads or writes it any more. */
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
