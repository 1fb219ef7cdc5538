import type { Readable } from 'node:stream';
import { DomainError } from '#kernel';

/** The chunks of one file of a multipart body. They can be read once. */
export class FileChunks implements AsyncIterable<Uint8Array> {
  private failure: Error | undefined;

  constructor(
    private readonly stream: Readable,
    private readonly maxBytes: number,
  ) {
    // It is thrown where the chunks are read; before that, nobody listens.
    stream.on('error', () => undefined);
  }

  fail(error: Error): void {
    this.failure ??= error;
    if (!this.stream.readableEnded) this.stream.destroy(this.failure);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let size = 0;
    try {
      for await (const chunk of this.stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > this.maxBytes) throw fileTooLarge(this.maxBytes);
        yield chunk;
      }
    } catch (error) {
      throw this.failure ?? error;
    }
  }
}

export function fileTooLarge(maxBytes: number): DomainError {
  const megabytes = Math.floor(maxBytes / 1_000_000);
  return new DomainError('too_large', 'validation_error', `The file is larger than ${megabytes} MB.`);
}
