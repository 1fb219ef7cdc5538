import { ByteSpool } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SpooledMime } from '../domain/accepted-email.js';
import { MessageStore } from './ports/message-store.port.js';
import { mimePrefix } from './stored-content.js';

/**
 * Receives finished MIME messages: small ones in memory, large ones in the message store. Their memory is bounded
 * together.
 */
@Injectable()
export class MimeSpool {
  private readonly spool: ByteSpool;

  constructor(store: MessageStore) {
    this.spool = new ByteSpool((emailId, content) => store.write(emailId, withPrefix(content)));
  }

  /** Reads all of the content. If `content` throws, it throws the same error and keeps nothing. */
  take(emailId: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime> {
    return this.spool.take(emailId, content);
  }

  /**
   * Called when the acceptance has ended, to release the memory. After a failure the stored bytes stay until retention
   * removes them: the commit may have succeeded although its confirmation was lost, and an email must never be without
   * its bytes.
   */
  release(mime: SpooledMime): void {
    this.spool.release(mime);
  }
}

async function* withPrefix(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield mimePrefix;
  yield* content;
}
