import type { Client } from 'pg';
import { Partition } from '#postgres/database';

/**
 * Removes a partition while mail is accepted and delivered. DETACH ... CONCURRENTLY waits for transactions that may
 * still use it, without blocking others. A plain DROP would block all transactions on the table while it waits.
 *
 * Throws if it would wait for longer than the session's lock_timeout. An interrupted removal is continued.
 */
export async function removePartition(session: Client, { table, name, state }: Partition): Promise<void> {
  if (state === 'attached') await session.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" CONCURRENTLY`);
  if (state === 'detaching') await session.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" FINALIZE`);
  await session.query(`DROP TABLE "${name}"`);
}
