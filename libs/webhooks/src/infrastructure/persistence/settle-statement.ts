import { Statement, storableJson } from '#platform/database';
import { FinishedCall } from '../../application/ports/call-log.port.js';
import { MessageStatus } from '../../domain/webhook-message.js';

export interface SettledCall {
  readonly call: FinishedCall;
  readonly attemptId: string;
  readonly status: MessageStatus;
  /** Time of the next try; undefined if there is none. */
  readonly dueAt: Date | undefined;
}

/**
 * Writes the results of a batch of calls in one statement: finished messages leave the queue, the others get a due time,
 * and every call is logged. A result counts only if the message is still at the attempt that the call belongs to. If
 * two workers sent it, one result counts; a replay in between is not undone. The call of a message that retention has
 * dropped is not logged. The rows of the queue are first locked in the order of their ids, as replays do, so that no two
 * transactions deadlock.
 *
 * The array, the limit and the bounds help the planner, which plans once and without statistics: each row is found by its
 * key, in the partitions of the messages' days.
 */
export function settleStatement(settled: readonly SettledCall[]): Statement {
  const rows = settled.map(rowOf).sort((a, b) => (a.message_id < b.message_id ? -1 : 1));
  return {
    name: 'settle-webhook-calls',
    text: `
      WITH done AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1::json) AS d (
          message_id uuid, webhook_id uuid, round int, attempt smallint, status text, due_at timestamptz, attempt_id uuid,
          sent_at timestamptz, duration_ms int, http_status smallint, response text)
      ), locked AS MATERIALIZED (
        SELECT message_id FROM webhook_queue WHERE message_id = ANY (ARRAY(SELECT message_id FROM done))
        ORDER BY message_id FOR UPDATE
      ), queued AS MATERIALIZED (
        SELECT done.* FROM done JOIN locked USING (message_id)
      ), ended AS (
        DELETE FROM webhook_queue q USING queued d
        WHERE d.due_at IS NULL AND q.message_id = d.message_id AND q.round = d.round AND q.attempt = d.attempt
        RETURNING d.message_id, d.webhook_id, d.status
      ), waiting AS (
        UPDATE webhook_queue q SET due_at = d.due_at, attempt = q.attempt + 1 FROM queued d
        WHERE q.message_id = ANY (ARRAY(SELECT message_id FROM queued WHERE due_at IS NOT NULL))
          AND d.due_at IS NOT NULL AND q.message_id = d.message_id AND q.round = d.round AND q.attempt = d.attempt
        RETURNING d.message_id, d.webhook_id, d.status
      ), counted AS (
        SELECT * FROM ended UNION ALL SELECT * FROM waiting
      ), shown AS (
        UPDATE webhook_messages m SET status = c.status FROM counted c
        WHERE m.webhook_id = c.webhook_id AND m.id = c.message_id AND m.id BETWEEN $2 AND $3 AND m.status <> c.status
      )
      INSERT INTO webhook_attempts (message_id, id, sent_at, duration_ms, http_status, response)
      SELECT message_id, attempt_id, sent_at, duration_ms, http_status, response FROM done d, LATERAL (
        SELECT FROM webhook_messages m
        WHERE m.webhook_id = d.webhook_id AND m.id = d.message_id AND m.id BETWEEN $2 AND $3 LIMIT 1
      ) AS logged
      ON CONFLICT DO NOTHING`,
    values: [storableJson(rows), rows[0]?.message_id, rows[rows.length - 1]?.message_id],
  };
}

function rowOf({ call: { message, sentAt, result }, attemptId, status, dueAt }: SettledCall) {
  return {
    message_id: message.id,
    webhook_id: message.webhookId,
    round: message.round,
    attempt: message.attempt,
    status,
    due_at: dueAt,
    attempt_id: attemptId,
    sent_at: sentAt,
    duration_ms: Math.round(result.durationMs),
    http_status: result.status,
    response: result.response,
  };
}
