import { Page, PageRequest } from '#kernel';
import { InboxMessage, ReceivedMessage, Viewer } from '../../domain/inbox-message.js';

/**
 * Keeps the newest of what the sandbox received. The oldest goes by itself, so nothing in it is ever promised to stay.
 *
 * A viewer never learns whether a message exists that is not theirs to see.
 */
export abstract class Inbox {
  /** Durable when it resolves. Concurrent calls may share a transaction but never each other's faults. */
  abstract add(message: ReceivedMessage): Promise<void>;

  /** Newest first. A cursor that is no id of a message is refused with ValidationError. */
  abstract list(viewer: Viewer, page: PageRequest): Promise<Page<InboxMessage>>;

  abstract find(viewer: Viewer, id: string): Promise<InboxMessage | undefined>;

  /**
   * The bytes of a message that was found, piece by piece: nothing is held while somebody takes them slowly. Throws
   * NotFoundError where the message is removed meanwhile.
   */
  abstract pieces(message: InboxMessage): AsyncIterable<Uint8Array>;
}
