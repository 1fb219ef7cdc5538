import { createHash, Hash } from 'node:crypto';
import { MessageStore } from '#emails';
import { ByteSpool, DomainError, FairBudget, NotFoundError, SpooledBytes } from '#kernel';
import { Injectable } from '@nestjs/common';

/** A message that has arrived completely. The bytes of a large one are already in the message store. */
export interface SpooledContent extends SpooledBytes {
  readonly id: string;
  /** SHA-256, in hex. */
  readonly digest: string;
}

/** Bytes that count against the memory for contents until they are released. */
export interface LoadedContent {
  readonly bytes: Uint8Array;
  release(): void;
}

const mb = 1024 * 1024;
/** Memory for large messages while they are judged: one of 40 MB, or many smaller ones. */
const wholeMessages = { total: 128 * mb, maxPerOwner: 48 * mb };
const maxWaitMs = 60_000;

class TooManyLargeMessagesError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many large messages are being read, try again later');
  }
}

/**
 * Keeps the content of a message from its arrival to the acceptance. Small ones stay in memory and are stored with the
 * accepting transaction; large ones go to the message store piece by piece. All memory is bounded.
 */
@Injectable()
export class ContentSpool {
  private readonly spool: ByteSpool;
  private readonly whole = new FairBudget(wholeMessages);

  constructor(private readonly store: MessageStore) {
    this.spool = new ByteSpool((id, content) => store.write(id, content));
  }

  /** Reads all of the content. If `content` throws, it throws the same error and keeps nothing. */
  async take(id: string, content: AsyncIterable<Uint8Array>): Promise<SpooledContent> {
    const hash = createHash('sha256');
    const { size, bytes } = await this.spool.take(id, hashed(content, hash));
    return { id, size, bytes, digest: hash.digest('hex') };
  }

  /**
   * A copy of all bytes, which the caller may move. Waits for memory, charged to `owner`; throws a DomainError of kind
   * `unavailable` if that takes too long.
   */
  async load({ id, size, bytes }: SpooledContent, owner: string): Promise<LoadedContent> {
    if (bytes !== undefined) return { bytes: Uint8Array.from(bytes), release: () => undefined };
    const patience = { maxWaitMs, refusal: () => new TooManyLargeMessagesError() };
    const share = await this.whole.hold([owner], size, patience);
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

  /** The bytes in pieces, for a reader outside of this process. */
  async *read({ id, bytes }: SpooledContent): AsyncGenerator<Uint8Array> {
    if (bytes === undefined) yield* this.store.read(id);
    else yield bytes;
  }

  /** To be called once the message is accepted or refused. */
  release(content: SpooledContent): void {
    this.spool.release(content);
  }
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
