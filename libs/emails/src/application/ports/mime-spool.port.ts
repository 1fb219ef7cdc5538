import { SpooledMime } from '../../domain/accepted-email.js';

/**
 * Takes in finished MIME messages while they arrive: small ones stay in memory and are stored with the accepting
 * transaction, large ones go to the message store piece by piece. However many arrive at once, what they hold in
 * memory together is bounded.
 */
export abstract class MimeSpool {
  /** Reads all of the content. What `content` throws is thrown on, and nothing stays behind. */
  abstract take(emailId: string, content: AsyncIterable<Uint8Array>): Promise<SpooledMime>;

  /**
   * The acceptance has ended: the memory may go to others. Where it has failed, what was stored stays until retention
   * takes it: a commit whose answer was lost may have happened, and there must never be an email without its bytes.
   */
  abstract release(mime: SpooledMime): void;
}
