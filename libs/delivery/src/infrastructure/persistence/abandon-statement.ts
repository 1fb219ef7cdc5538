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

/** Frees what one worker holds in one lane, and the lane with it. */
export function abandonStatement(lane: string, workerId: string): Statement {
  return {
    text: `
      WITH freed AS (
        UPDATE outbound_queue SET worker_id = NULL, due_at = now() + ${waitAfterTrouble}
        WHERE lane = $1 AND worker_id = $2
        RETURNING email_id, recipient_no, attempt
      ), left_lane AS (
        DELETE FROM lanes WHERE name = $1 AND worker_id = $2
      ) ${logFreed}`,
    values: [lane, workerId],
  };
}

/**
 * Frees what one worker holds in one lane, and the lane with it. It was claimed in a statement whose answer was lost, or could
 * not be given back: none of it was tried.
 */
export function returnStatement(lane: string, workerId: string): Statement {
  return {
    text: `
      WITH freed AS (
        UPDATE outbound_queue SET worker_id = NULL, attempt = attempt - 1 WHERE lane = $1 AND worker_id = $2
      )
      DELETE FROM lanes WHERE name = $1 AND worker_id = $2`,
    values: [lane, workerId],
  };
}
