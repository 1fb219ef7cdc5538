import { IdempotencyClaim } from '#idempotency';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/** `repeated`: a request with the same key and body was accepted before, and this was its answer. */
export type Acceptance = { readonly kind: 'accepted' } | { readonly kind: 'repeated'; readonly answer: unknown };

/** Where accepted emails become durable. */
export abstract class EmailAcceptance {
  /**
   * Resolves when all of the emails, their contents, recipients, first events, queue entries and the claimed
   * idempotency key are durably committed together; when it throws, or the key has been used, none is. Concurrent calls
   * may share a transaction but never each other's faults.
   *
   * Throws the idempotency errors and those of an exceeded quota; a repetition counts towards no quota.
   */
  abstract accept(emails: readonly AcceptedEmail[], claim?: IdempotencyClaim): Promise<Acceptance>;
}
