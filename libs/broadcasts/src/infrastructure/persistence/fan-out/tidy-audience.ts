import { DatabaseTransaction } from '#platform/database';

/** Rows of one batch, so that its locks last only for milliseconds. */
const batchRows = 5_000;

/** Removes rows of the audience of a broadcast that is over. False where there is none. */
export async function tidyAudience(transaction: DatabaseTransaction): Promise<boolean> {
  const [run] = await transaction.query<{ id: string }>({
    text: `SELECT r.broadcast_id AS id FROM broadcast_runs r JOIN broadcasts b ON b.id = r.broadcast_id
           WHERE r.planned_at IS NOT NULL AND r.tidied_at IS NULL AND b.status IN ('sent', 'canceled')
           ORDER BY r.broadcast_id LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
  });
  if (run === undefined) return false;
  const removed = await transaction.execute({
    text: `DELETE FROM broadcast_audience WHERE broadcast_id = $1 AND (wave, part, contact_id) IN (
             SELECT wave, part, contact_id FROM broadcast_audience WHERE broadcast_id = $1 LIMIT ${batchRows})`,
    values: [run.id],
  });
  if (removed === batchRows) return true;
  await transaction.execute({
    text: 'UPDATE broadcast_runs SET tidied_at = now() WHERE broadcast_id = $1',
    values: [run.id],
  });
  return true;
}
