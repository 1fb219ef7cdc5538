import { IdempotencyClaim } from '#idempotency';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/** Emails that are accepted together or not at all. */
export interface AcceptanceRequest {
  readonly emails: readonly AcceptedEmail[];
  readonly claim: IdempotencyClaim | undefined;
  /** The quota is used up as far as is known: the transaction will refuse it, unless it is a repetition. */
  readonly isLikelyRefused: boolean;
}

/** `repeated`: a request with the same key and body was accepted before, and this was the response. */
export type Acceptance = { readonly kind: 'accepted' } | { readonly kind: 'repeated'; readonly response: unknown };

/** Where accepted emails become durable. */
export abstract class EmailAcceptance {
  /**
   * Resolves when all of the emails, their contents, recipients, first events, queue entries and the claimed
   * idempotency key are durably committed together; when it throws, or the key has been used, none is. Concurrent calls
   * may share a transaction but never each other's faults. What is written of a request is decided by `DecideGroup`.
   *
   * Throws the idempotency errors and those of an exceeded quota; a repetition counts towards no quota.
   */
  abstract accept(request: AcceptanceRequest): Promise<Acceptance>;
}
