import { InboxDkimResult } from '../../domain/inbox-message.js';

/**
 * Verifies the DKIM signatures of a message (RFC 6376). Never throws because of the message's content. If a key cannot
 * be looked up, its signature does not verify.
 *
 * The work is charged to `reader`. Throws a DomainError of kind `unavailable` if too much work is waiting.
 *
 * It must not be built on the code that signs: an error in that code would then go unnoticed.
 */
export abstract class SignatureVerifier {
  abstract verify(raw: Uint8Array, reader: string): Promise<InboxDkimResult>;
}
