import { Statement } from '#platform/database';

/** How long a recipient of unknown outcome waits where its worker lives on: what went wrong should have time to mend. */
const waitAfterTrouble = `interval '1 minute'`;

const logFreed = `
  INSERT INTO delivery_attempts (email_id, recipient_no, attempt, started_at, duration_ms, outcome, reason)
  SELECT email_id, recipient_no, attempt, now(), 0, 'unknown', 'The end of the attempt was never written down'
  FROM freed ON CONFLICT DO NOTHING`;

/** Frees what workers held in lanes that have been taken from them. What they had begun may have been delivered. */
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
 * Frees what workers hold in lanes. No index says what is held: it would have every claim change an index. The rows of the
 * lane are read along `outbound_queue_due` instead, which happens after trouble only.
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
 * Frees what workers hold in lanes. It was claimed in a statement whose answer was lost, or could not be given back: none of
 * it was tried.
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
