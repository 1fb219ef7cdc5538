import { DkimVerdict } from '../../domain/inbox-message.js';

/**
 * Verifies the DKIM signatures of a message (RFC 6376). Never throws for anything the message holds, and a key that
 * cannot be looked up is a signature that does not verify.
 *
 * `reader` is to whom the work is charged. A DomainError of kind `unavailable` says that too much is waiting.
 *
 * Not to be built on the code that signs: what signs wrongly would verify wrongly, and nobody would notice.
 */
export abstract class SignatureVerifier {
  abstract verify(raw: Uint8Array, reader: string): Promise<DkimVerdict>;
}
