import { DatabaseTransaction } from '#platform/database';
import { Pace, paceOf } from '../../../domain/fan-out/throttle.js';

/**
 * The pace of a throttled broadcast. Its run is locked until the transaction ends, so that its slices are made one after the other.
 * Where another worker makes one, nothing may go now.
 */
export async function pacedBy(
  perHour: number,
  broadcastId: string,
  now: Date,
  statements: DatabaseTransaction,
): Promise<Pace> {
  const [run] = await statements.query<{ pacedUntil: Date | null }>({
    name: 'hold-throttled-run',
    text: 'SELECT paced_until AS "pacedUntil" FROM broadcast_runs WHERE broadcast_id = $1 FOR UPDATE SKIP LOCKED',
    values: [broadcastId],
  });
  return run === undefined ? { perHour, from: new Date(8.64e15) } : paceOf(perHour, run.pacedUntil, now);
}
