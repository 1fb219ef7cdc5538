import { Statement } from '#platform/database';

/** Prefix of the name of the session that each worker keeps open while it lives. The worker's id follows. */
export const sessionOfWorker = 'postrider-worker ';

export function heartbeatStatement(workerId: string): Statement {
  return {
    name: 'worker-heartbeat',
    text: `INSERT INTO workers (id, started_at, heartbeat_at) VALUES ($1, now(), now())
           ON CONFLICT (id) DO UPDATE SET heartbeat_at = now()`,
    values: [workerId],
  };
}
