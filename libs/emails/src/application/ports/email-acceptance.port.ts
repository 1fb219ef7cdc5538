import { IdempotencyClaim } from '#idempotency';
import { Transaction } from '#kernel';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/** Emails that are all accepted or all refused. */
export interface AcceptanceRequest {
  readonly emails: readonly AcceptedEmail[];
  readonly claim: IdempotencyClaim | undefined;
  /**
   * True where the quota is used up as far as this process knows. The transaction will then refuse the request, unless
   * it is a repetition.
   */
  readonly isLikelyRefused: boolean;
}

/** `repeated`: a request with the same key and body was accepted before, with this response. */
export type Acceptance = { readonly kind: 'accepted' } | { readonly kind: 'repeated'; readonly response: unknown };

/** Stores accepted emails durably. */
export abstract class EmailAcceptance {
  /** Whether `accept` was called in the last second, by this process. Whoever calls `write` for many emails then makes room for it. */
  abstract get isInDemand(): boolean;

  /**
   * Resolves when all of the emails, their contents, recipients, first events, queue entries and the claimed
   * idempotency key are durably committed together. Where it throws, or the key has been used, nothing of them is
   * stored. Concurrent calls may share a transaction, but a fault of one never affects another. `DecideGroup` decides
   * what is written for each request.
   *
   * Throws the idempotency errors and the errors of an exceeded quota. A repetition does not count towards a quota.
   */
  abstract accept(request: AcceptanceRequest): Promise<Acceptance>;

  /**
   * Stores screened emails, whose content is stored already, in a transaction of the caller, and ends with `last`, which must send
   * its statements before it waits for anything: nothing may follow, because counters are locked and the commit is sent. Returns
   * what is to be called after the commit, which wakes the workers.
   *
   * Throws the errors of an exceeded quota, and then the transaction must be rolled back.
   */
  abstract write(
    emails: readonly AcceptedEmail[],
    transaction: Transaction,
    last: () => Promise<void>,
  ): Promise<() => void>;
}
