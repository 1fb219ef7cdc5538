import { SpooledMime } from '../../domain/accepted-email.js';

/**
 * Receives finished MIME messages. Small messages stay in memory and are stored with the accepting transaction. Large
 * ones go to the message store piece by piece. The memory that all messages together hold is bounded.
 */
export abstract class MimeSpool {
  /** Reads all of the content. Where `content` throws, it throws the same error and keeps nothing. */
  abstract take(emailId: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime>;

  /**
   * Called when the acceptance has ended, to release the memory. After a failure the stored bytes stay until retention
   * removes them: the commit may have succeeded although its confirmation was lost, and an email must never be without
   * its bytes.
   */
  abstract release(mime: SpooledMime): void;
}
