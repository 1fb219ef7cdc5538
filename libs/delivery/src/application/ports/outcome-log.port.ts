import { Transaction } from '#kernel';
import { FinishedAttempt } from '../../domain/attempt.js';

/** Writes a batch of ended attempts within the transaction. Resolves with those that counted. */
export type SettleBatch = (
  attempts: readonly FinishedAttempt[],
  now: Date,
  transaction: Transaction,
) => Promise<readonly FinishedAttempt[]>;

/** Makes the outcomes of attempts durable. Attempts that end at about the same time share a transaction. */
export abstract class OutcomeLog {
  /**
   * Returns the function that records an attempt. It resolves once the batch with this attempt is committed, and keeps the
   * attempt until then, however long the database is away. `settle` may run again for a batch that was committed before.
   */
  abstract inBatches(settle: SettleBatch): (attempt: FinishedAttempt) => Promise<void>;
}
