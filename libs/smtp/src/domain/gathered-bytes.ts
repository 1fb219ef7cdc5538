/** Chunks of at least this size are passed on unchanged. */
const minBytes = 4 * 1024;
const blockBytes = 16 * 1024;

/**
 * Combines small chunks. A client may send a message byte by byte, and a list of such chunks costs some hundred bytes
 * for each of them.
 */
export class GatheredBytes {
  private block: Uint8Array | undefined;
  private length = 0;

  *add(chunk: Uint8Array): Generator<Uint8Array> {
    if (chunk.length >= minBytes) {
      yield* this.rest();
      yield chunk;
      return;
    }
    if (this.length + chunk.length > (this.block?.length ?? 0)) {
      const isFirst = this.block === undefined;
      yield* this.rest();
      this.block = new Uint8Array(isFirst ? minBytes : blockBytes);
    }
    this.block?.set(chunk, this.length);
    this.length += chunk.length;
  }

  /** The bytes that have not been passed on yet. */
  *rest(): Generator<Uint8Array> {
    const { block, length } = this;
    this.length = 0;
    this.block = undefined;
    if (block !== undefined && length > 0) yield block.subarray(0, length);
  }
}
