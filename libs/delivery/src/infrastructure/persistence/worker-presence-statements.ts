import { Statement } from '#platform/database';

/** Prefix of the name of the session that each worker keeps open while it lives. The worker's id follows. */
export const sessionOfWorker = 'postrider-worker ';

/** `about` is what the worker tells about itself; without it the last account stays. */
export function heartbeatStatement(workerId: string, about?: object): Statement {
  return {
    name: 'worker-heartbeat',
    text: `INSERT INTO workers AS w (id, started_at, heartbeat_at, about) VALUES ($1, now(), now(), $2::jsonb)
           ON CONFLICT (id) DO UPDATE SET heartbeat_at = now(), about = coalesce(excluded.about, w.about)`,
    values: [workerId, about === undefined ? null : JSON.stringify(about)],
  };
}
