import { createHash } from 'node:crypto';
import { MessageStore } from '#emails';
import { FairBudget, NotFoundError, DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ContentSpool, LoadedContent, SpooledContent } from '../../application/ports/content-spool.port.js';

const mb = 1024 * 1024;
/** Smaller messages stay in memory and share the commits of other mail. Most messages are smaller. */
const maxBytesInMemory = 256 * 1024;
/** Memory of all messages that are not accepted yet. Above it even small messages are stored as they arrive. */
const maxHeldBytes = 64 * mb;
/** Memory for large messages while they are judged: one of 40 MB, or many smaller ones. */
const wholeMessages = { totalBytes: 128 * mb, maxBytesPerOwner: 48 * mb };
const maxWaitMs = 60_000;

class TooManyLargeMessagesError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many large messages are being read, try again later');
  }
}

@Injectable()
export class StoringContentSpool extends ContentSpool {
  private held = 0;
  private readonly whole = new FairBudget(wholeMessages);

  constructor(private readonly store: MessageStore) {
    super();
  }

  async take(id: string, content: AsyncIterable<Uint8Array>): Promise<SpooledContent> {
    const chunks = content[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    const hash = createHash('sha256');
    let size = 0;
    try {
      while (size <= maxBytesInMemory && this.held <= maxHeldBytes) {
        const next = await chunks.next();
        if (next.done === true) return { id, size, digest: hash.digest('hex'), bytes: Buffer.concat(head, size) };
        head.push(next.value);
        hash.update(next.value);
        size += next.value.length;
        this.held += next.value.length;
      }
    } catch (error) {
      this.held -= size;
      throw error;
    }
    this.held -= size;
    const rest = async function* (): AsyncGenerator<Uint8Array> {
      for (const chunk of head.splice(0)) yield chunk;
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        hash.update(next.value);
        size += next.value.length;
        yield next.value;
      }
    };
    await this.store.write(id, rest());
    return { id, size, digest: hash.digest('hex'), bytes: undefined };
  }

  async load({ id, size, bytes }: SpooledContent, owner: string): Promise<LoadedContent> {
    if (bytes !== undefined) return { bytes: Uint8Array.from(bytes), release: () => undefined };
    const share = await this.room(size, owner);
    try {
      const whole = new Uint8Array(size);
      let at = 0;
      for await (const piece of this.store.read(id)) {
        whole.set(piece, at);
        at += piece.length;
      }
      if (at !== size) throw new NotFoundError('The content of the message');
      return { bytes: whole, release: () => share.release() };
    } catch (error) {
      share.release();
      throw error;
    }
  }

  async *read({ id, bytes }: SpooledContent): AsyncGenerator<Uint8Array> {
    if (bytes === undefined) yield* this.store.read(id);
    else yield bytes;
  }

  release({ size, bytes }: SpooledContent): void {
    if (bytes !== undefined) this.held -= size;
  }

  private async room(size: number, owner: string): Promise<{ release(): void }> {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(new TooManyLargeMessagesError()), maxWaitMs);
    try {
      return await this.whole.take([owner], size, giveUp.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}
