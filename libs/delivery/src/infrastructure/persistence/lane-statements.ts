import { Statement } from '#platform/database';
import { ClaimedRecipient } from '../../domain/finished-attempt.js';

/** A server that restarts is back within seconds. A server that stays down is tried twice an hour. */
const firstPauseMs = 15_000;
const maxPauseMs = 1_800_000;

export function releaseLanesStatement(
  lanes: readonly { readonly lane: string; readonly workerId: string }[],
): Statement {
  return {
    name: 'release-lanes',
    text: `DELETE FROM lanes l USING unnest($1::text[], $2::uuid[]) AS gone (lane, worker_id)
           WHERE l.name = gone.lane AND l.worker_id = gone.worker_id`,
    values: [lanes.map(({ lane }) => lane), lanes.map(({ workerId }) => workerId)],
  };
}

export function returnRecipientsStatement(
  given: readonly { readonly workerId: string; readonly recipients: readonly ClaimedRecipient[] }[],
): Statement {
  return {
    name: 'return-recipients',
    text: `UPDATE outbound_queue q SET worker_id = NULL, attempt = q.attempt - 1
           FROM json_to_recordset($1::json) AS g (email_id uuid, no smallint, lease int, worker_id uuid)
           WHERE q.email_id = g.email_id AND q.recipient_no = g.no AND q.lease = g.lease AND q.worker_id = g.worker_id`,
    values: [
      JSON.stringify(
        given.flatMap(({ workerId, recipients }) =>
          recipients.map(({ emailId, recipientNo, lease }) => ({
            email_id: emailId,
            no: recipientNo,
            lease,
            worker_id: workerId,
          })),
        ),
      ),
    ],
  };
}

/** Ordered by name, so that workers that pause the same lanes cannot deadlock. */
export function pauseStatement(lanes: readonly { readonly lane: string; readonly reason: string }[]): Statement {
  const reasons = new Map(lanes.map(({ lane, reason }) => [lane, reason.replaceAll('\0', '').toWellFormed()]));
  return {
    name: 'pause-lanes',
    text: `INSERT INTO lane_pauses AS p (lane, since, until, failures, reason)
           SELECT lane, now(), now() + $3 * interval '1 millisecond', 1, reason
           FROM unnest($1::text[], $2::text[]) AS down (lane, reason) ORDER BY lane
           ON CONFLICT (lane) DO UPDATE SET failures = p.failures + 1, reason = excluded.reason,
             until = now() + least($4, $3 * 2 ^ least(p.failures, 20)) * interval '1 millisecond'`,
    values: [[...reasons.keys()], [...reasons.values()], firstPauseMs, maxPauseMs],
  };
}
