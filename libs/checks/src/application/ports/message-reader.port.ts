import { MessageFacts } from '../../domain/message-facts.js';

/** Reads what the checks look at, outside the main thread. */
export abstract class MessageReader {
  /**
   * The bytes may be moved, so that the caller must not use them afterwards. Throws `UncheckableError` if the message is
   * too complex.
   */
  abstract read(bytes: Uint8Array, teamId: string): Promise<MessageFacts>;
}
