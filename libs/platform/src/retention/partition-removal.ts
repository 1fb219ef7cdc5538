import type { Client } from 'pg';
import { Partition } from '#platform/database';

/**
 * Takes a partition away while mail flows. DETACH ... CONCURRENTLY waits for transactions that may still use it without
 * anyone having to queue behind that wait, which a plain DROP would make everybody do.
 *
 * Throws where it would have to wait for longer than the session's lock_timeout; begun removals are gone on with.
 */
export async function removePartition(session: Client, { table, name, state }: Partition): Promise<void> {
  if (state === 'attached') await session.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" CONCURRENTLY`);
  if (state === 'detaching') await session.query(`ALTER TABLE "${table}" DETACH PARTITION "${name}" FINALIZE`);
  await session.query(`DROP TABLE "${name}"`);
}
