import { Statement, storableJson } from '#platform/database';
import { FinishedAttempt } from '../../domain/finished-attempt.js';

/**
 * Ends a batch of attempts in one statement: final ones leave the queue, the others wait, and each that still counts is
 * logged. Responses with the positions of those that counted: their lease was still this worker's.
 */
export function settleStatement(workerId: string, attempts: readonly FinishedAttempt[]): Statement {
  return {
    name: 'settle-attempts',
    text: `
      WITH done AS (
        SELECT * FROM json_to_recordset($1::json) AS d (
          position int, email_id uuid, no smallint, lease int, attempt smallint, retry_at timestamptz,
          started_at timestamptz, duration_ms int, outcome text, category text, reason text, host text, address text, tls jsonb,
          reply_code smallint, enhanced_code text, reply_text text, timings jsonb)
      ), ended AS (
        DELETE FROM outbound_queue q USING done d
        WHERE d.retry_at IS NULL AND q.email_id = d.email_id AND q.recipient_no = d.no
          AND q.lease = d.lease AND q.worker_id = $2
        RETURNING d.position
      ), waiting AS (
        UPDATE outbound_queue q SET worker_id = NULL, due_at = d.retry_at FROM done d
        WHERE d.retry_at IS NOT NULL AND q.email_id = d.email_id AND q.recipient_no = d.no
          AND q.lease = d.lease AND q.worker_id = $2
        RETURNING d.position
      ), counted AS (
        SELECT position FROM ended UNION ALL SELECT position FROM waiting
      ), logged AS (
        INSERT INTO delivery_attempts (email_id, recipient_no, attempt, started_at, duration_ms, outcome, category, reason,
                                       host, address, tls, reply_code, enhanced_code, reply_text, timings)
        SELECT email_id, no, attempt, started_at, duration_ms, outcome, category, reason, host, address, tls, reply_code,
               enhanced_code, reply_text, timings
        FROM done JOIN counted USING (position) ON CONFLICT DO NOTHING
      )
      SELECT position FROM counted`,
    values: [storableJson(attempts.map(rowOf)), workerId],
  };
}

function rowOf({ recipient, outcome, startedAt, retryAt }: FinishedAttempt, position: number): Record<string, unknown> {
  const { detail } = outcome;
  return {
    position,
    email_id: recipient.emailId,
    no: recipient.recipientNo,
    lease: recipient.lease,
    attempt: recipient.attempt,
    retry_at: retryAt,
    started_at: startedAt,
    duration_ms: Math.round(detail.durationMs),
    outcome: outcome.kind === 'deferred' && outcome.outcomeUnknown ? 'unknown' : outcome.kind,
    category: outcome.kind === 'delivered' ? undefined : outcome.category,
    reason: outcome.kind === 'delivered' ? undefined : outcome.reason,
    host: detail.host,
    address: detail.address,
    tls: detail.tls,
    reply_code: detail.replyCode,
    enhanced_code: detail.enhancedCode,
    reply_text: detail.replyText,
    timings: detail.timings,
  };
}
