import { DatabaseTransaction } from './database-transaction.js';

/**
 * Locks a name until the transaction ends, over all processes. Transactions that add to what a team may have at most `n`
 * of lock its name and count in a later statement: a statement that waits, or counts while it inserts, does not see what
 * others insert at the same time. Nothing else of the team waits.
 */
export async function lockName(name: string, transaction: DatabaseTransaction): Promise<void> {
  await transaction.execute({
    name: 'lock-name',
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [name],
  });
}
