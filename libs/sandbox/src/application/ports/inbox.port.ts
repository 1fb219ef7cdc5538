import { Page, PageRequest } from '#kernel';
import { InboxMessage, ReceivedMessage, Viewer } from '../../domain/inbox-message.js';

/**
 * Keeps the newest messages that the sandbox received. The oldest ones are removed automatically, so no message is
 * guaranteed to stay.
 *
 * A viewer cannot find out whether a message of another team exists.
 */
export abstract class SandboxInbox {
  /**
   * Resolves when the message is durable. Concurrent calls may share a transaction, but one that fails does not affect
   * the others.
   */
  abstract add(message: ReceivedMessage): Promise<void>;

  /** Newest first. Throws ValidationError if the cursor is not the id of a message. */
  abstract list(viewer: Viewer, page: PageRequest): Promise<Page<InboxMessage>>;

  abstract find(viewer: Viewer, id: string): Promise<InboxMessage | undefined>;

  /**
   * The bytes of a message that was found, piece by piece, so that a slow reader holds no memory. Throws NotFoundError
   * if the message is removed in the meantime.
   */
  abstract pieces(message: InboxMessage): AsyncIterable<Uint8Array>;
}
