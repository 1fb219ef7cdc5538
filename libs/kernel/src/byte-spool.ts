/** A content that was read to its end. */
export interface SpooledBytes {
  readonly size: number;
  /** Undefined for a large content: its bytes are already where `write` put them. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Smaller contents stay in memory and share the commits of other mail, which makes them fast. Most messages are
 * smaller.
 */
const maxContentBytesInMemory = 256 * 1024;
/** Memory of all contents together. Above it even small ones are written as they arrive. */
const maxHeldBytes = 64 * 1024 * 1024;

/** Keeps small contents in memory until they are stored with their message, and writes large ones piece by piece. */
export class ByteSpool {
  private heldBytes = 0;

  constructor(private readonly write: (id: string, content: AsyncIterable<Uint8Array>) => Promise<void>) {}

  /** Reads all of the content. If `content` throws, it throws the same error and keeps nothing. */
  async take(id: string, content: AsyncIterable<Uint8Array>): Promise<SpooledBytes> {
    const chunks = content[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    let size = 0;
    try {
      while (size <= maxContentBytesInMemory && this.heldBytes <= maxHeldBytes) {
        const next = await chunks.next();
        if (next.done === true) return { size, bytes: Buffer.concat(head, size) };
        head.push(next.value);
        size += next.value.length;
        this.heldBytes += next.value.length;
      }
    } catch (error) {
      this.heldBytes -= size;
      throw error;
    }
    this.heldBytes -= size;
    const all = async function* (): AsyncGenerator<Uint8Array> {
      yield* head.splice(0);
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        size += next.value.length;
        yield next.value;
      }
    };
    await this.write(id, all());
    return { size, bytes: undefined };
  }

  /** To be called once the message is stored or refused. */
  release({ size, bytes }: SpooledBytes): void {
    if (bytes !== undefined) this.heldBytes -= size;
  }
}
