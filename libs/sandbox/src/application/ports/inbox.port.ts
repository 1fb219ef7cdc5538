import { Page, PageRequest } from '#kernel';
import { InboxDkimResult, InboxMessage, ReceivedMessage, Viewer } from '../../domain/inbox-message.js';

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

/**
 * Verifies the DKIM signatures of a message (RFC 6376). Never throws because of the message's content. If a key cannot
 * be looked up, its signature does not verify.
 *
 * The work is charged to `reader`. Throws a DomainError of kind `unavailable` if too much work is waiting.
 *
 * A message is verified when it is viewed and not on receipt: receiving stays cheap, and the keys are those published
 * now. It must not be built on the code that signs: an error in that code would then go unnoticed.
 */
export abstract class SignatureVerifier {
  abstract verify(raw: Uint8Array, reader: string): Promise<InboxDkimResult>;
}
