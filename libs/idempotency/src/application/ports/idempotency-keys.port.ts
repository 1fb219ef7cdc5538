import { Transaction } from '#kernel';
import { ClaimResult, IdempotencyClaim, IdempotentRequest, KnownRequest } from '../../domain/idempotency.js';

/** The keys of the last 24 hours with the answers that were given under them. */
export abstract class IdempotencyKeys {
  /** What was done under the request's key, if it is still remembered at this moment. */
  abstract find(request: IdempotentRequest, now: Date): Promise<KnownRequest | undefined>;

  /**
   * Claims keys within the transaction that does what they stand for: with its commit the answers are on record, with
   * its rollback nothing has happened. One result per claim, in order. Never waits for another transaction, never fails
   * because of a key that others use, and of several claims for one key in the same call only the first can succeed.
   */
  abstract claim(claims: readonly IdempotencyClaim[], transaction: Transaction): Promise<readonly ClaimResult[]>;

  /** Forgets at most `limit` keys that are past their life; resolves with how many. */
  abstract removeExpired(now: Date, limit: number): Promise<number>;
}
