import { Transaction } from '#kernel';
import { ClaimResult, IdempotencyClaim, IdempotentRequest, KnownRequest } from '../../domain/idempotency.js';

/** Idempotency keys of the last 24 hours, each with the response that its first request got. */
export abstract class IdempotencyKeys {
  /** The request that is stored under this key; undefined if there is none or it had expired at `now`. */
  abstract find(request: IdempotentRequest, now: Date): Promise<KnownRequest | undefined>;

  /**
   * Claims keys in the transaction that does the requested work: the commit stores the responses, a rollback leaves
   * nothing. Returns one result per claim, in order. Never waits for another transaction, and never fails because other
   * requests use a key. Of several claims for one key in the same call only the first can succeed.
   */
  abstract claim(claims: readonly IdempotencyClaim[], transaction: Transaction): Promise<readonly ClaimResult[]>;

  /** Deletes at most `limit` expired keys. Resolves with the number of deleted keys. */
  abstract removeExpired(now: Date, limit: number): Promise<number>;
}
