import { Statement } from '#platform/database';

/** A recipient of unknown outcome waits this long if its worker is still running, so that the cause can pass. */
const waitAfterTrouble = `interval '1 minute'`;

const logFreed = `
  INSERT INTO delivery_attempts (email_id, recipient_no, attempt, started_at, duration_ms, outcome, reason)
  SELECT email_id, recipient_no, attempt, now(), 0, 'unknown', 'The end of the attempt was never written down'
  FROM freed ON CONFLICT DO NOTHING`;

/**
 * Returns the recipients of lanes that were taken from dead workers. Those attempts may have been delivered, so each is
 * logged as of unknown outcome.
 */
export function freeStatement(lanes: readonly { readonly name: string; readonly worker: string }[]): Statement {
  return {
    text: `
      WITH freed AS (
        UPDATE outbound_queue q SET worker_id = NULL, due_at = now()
        FROM unnest($1::text[], $2::uuid[]) AS l (name, worker_id)
        WHERE q.lane = l.name AND q.worker_id = l.worker_id
        RETURNING q.email_id, q.recipient_no, q.attempt
      ) ${logFreed}`,
    values: [lanes.map(({ name }) => name), lanes.map(({ worker }) => worker)],
  };
}

export interface HeldLane {
  readonly lane: string;
  readonly workerId: string;
}

/**
 * Returns the recipients that workers hold in lanes. No index covers held recipients, because every claim would then
 * change an index. Instead the lane's rows are read along `outbound_queue_due`, which happens only after errors.
 */
export function abandonStatement(lanes: readonly HeldLane[]): Statement {
  return {
    text: `
      WITH freed AS (
        UPDATE outbound_queue q SET worker_id = NULL, due_at = now() + ${waitAfterTrouble}
        FROM unnest($1::text[], $2::uuid[]) AS l (name, worker_id)
        WHERE q.lane = l.name AND q.worker_id = l.worker_id
        RETURNING q.email_id, q.recipient_no, q.attempt
      ) ${logFreed}`,
    values: valuesOf(lanes),
  };
}

/**
 * Returns the recipients that workers hold in lanes and never tried: the reply to their claim was lost, or they could
 * not be returned before.
 */
export function returnStatement(lanes: readonly HeldLane[]): Statement {
  return {
    text: `
      UPDATE outbound_queue q SET worker_id = NULL, attempt = q.attempt - 1
      FROM unnest($1::text[], $2::uuid[]) AS l (name, worker_id)
      WHERE q.lane = l.name AND q.worker_id = l.worker_id`,
    values: valuesOf(lanes),
  };
}

function valuesOf(lanes: readonly HeldLane[]): unknown[] {
  return [lanes.map(({ lane }) => lane), lanes.map(({ workerId }) => workerId)];
}
