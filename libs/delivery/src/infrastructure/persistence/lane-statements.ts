import { storableText } from '#kernel';
import { Statement } from '#postgres/database';
import { MovedSender } from '../../application/ports/delivery-queue.port.js';
import { ClaimedRecipient } from '../../domain/attempt.js';

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

export function moveRecipientsStatement(
  workerId: string,
  moves: readonly { readonly recipient: ClaimedRecipient; readonly to: string }[],
): Statement {
  return {
    name: 'move-recipients',
    text: `UPDATE outbound_queue q SET worker_id = NULL, attempt = q.attempt - 1, lane = g.lane
           FROM json_to_recordset($1::json) AS g (email_id uuid, no smallint, lease int, lane text)
           WHERE q.email_id = g.email_id AND q.recipient_no = g.no AND q.lease = g.lease AND q.worker_id = $2`,
    values: [
      JSON.stringify(
        moves.map(({ recipient: { emailId, recipientNo, lease }, to }) => ({
          email_id: emailId,
          no: recipientNo,
          lease,
          lane: to,
        })),
      ),
      workerId,
    ],
  };
}

/** Recipients that one statement moves: a tenth of a second. */
const maxMoved = 5_000;

/** Finds the recipients along the index by which teams take turns. */
export function moveWaitingStatement(
  lane: string,
  { teamId, domainId, isBulk, recipientDomain, to }: MovedSender,
): Statement {
  const ofKind = isBulk ? 'is_bulk' : 'is_bulk IS NULL';
  return {
    name: isBulk ? 'move-waiting-bulk' : 'move-waiting',
    text: `UPDATE outbound_queue SET lane = $5 WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM outbound_queue
             WHERE lane = $1 AND team_id = $2 AND ${ofKind} AND domain_id = $3 AND worker_id IS NULL
               AND lower(split_part(address, '@', -1)) = $4
             ORDER BY due_at LIMIT ${maxMoved} FOR UPDATE SKIP LOCKED))`,
    values: [lane, teamId, domainId, recipientDomain.toLowerCase(), to],
  };
}

/** Of transactional mail. Along an index by lane and due time. */
export function isDueStatement(lane: string): Statement {
  return {
    name: 'is-lane-due',
    text: `SELECT 1 FROM outbound_queue WHERE lane = $1 AND is_bulk IS NULL AND worker_id IS NULL AND due_at <= now()
           ORDER BY due_at LIMIT 1`,
    values: [lane],
  };
}

/** Ordered by name, so that workers that pause the same lanes cannot deadlock. */
export function pauseStatement(lanes: readonly { readonly lane: string; readonly reason: string }[]): Statement {
  const reasons = new Map(lanes.map(({ lane, reason }) => [lane, storableText(reason)]));
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

/**
 * Walks from lane to lane along the index. Returns the lanes that have work, and the last of `limit` lanes examined. It
 * costs 4 µs per lane examined, however many others wait.
 *
 * Recipients that a worker has claimed are due as well. Whether the lane has others is looked up per lane, at the cost
 * of one row per claimed recipient.
 */
export function lanesWithWorkStatement(workerId: string, after: string | undefined, limit: number): Statement {
  return {
    name: 'lanes-with-work',
    text: `
      WITH RECURSIVE waiting AS (
        (SELECT lane, team_id, due_at, 1 AS no FROM outbound_queue WHERE lane > $2 ORDER BY lane, due_at LIMIT 1)
        UNION ALL
        SELECT next.lane, next.team_id, next.due_at, waiting.no + 1 FROM waiting, LATERAL (
          SELECT lane, team_id, due_at FROM outbound_queue WHERE lane > waiting.lane ORDER BY lane, due_at LIMIT 1
        ) next
        WHERE waiting.no < $3
      ), looked_at AS (
        SELECT lane, team_id, no = $3 AS is_last,
               due_at <= now()
               AND NOT EXISTS (SELECT 1 FROM lane_pauses p WHERE p.lane = waiting.lane AND p.until > now())
               AND NOT EXISTS (SELECT 1 FROM lane_holds h WHERE h.lane = waiting.lane)
               AND NOT EXISTS (SELECT 1 FROM lanes l WHERE l.name = waiting.lane AND l.worker_id <> $1)
               AND EXISTS (SELECT 1 FROM outbound_queue q
                           WHERE q.lane = waiting.lane AND q.worker_id IS NULL AND q.due_at <= now()) AS has_work
        FROM waiting
      )
      SELECT lane AS name, team_id AS "teamId", has_work AS "hasWork", is_last AS "isLast"
      FROM looked_at WHERE has_work OR is_last`,
    // No lane name is empty.
    values: [workerId, after ?? '', limit],
  };
}

/** Prefix of the name of the session that each worker keeps open while it lives. The worker's id follows. */
export const sessionOfWorker = 'postrider-worker ';

/** A region that was silent for longer is not there without a break. */
const maxSilence = `interval '30 seconds'`;

/**
 * `about` is what the worker tells about itself; without it the last account stays. `region` is undefined for a worker
 * that sends for all regions.
 */
export function heartbeatStatement(workerId: string, region: string | undefined, about?: object): Statement {
  return {
    name: 'worker-heartbeat',
    text: `WITH seen AS (
             INSERT INTO regions AS r (name, alive_since, seen_at) SELECT $3, now(), now() WHERE $3::text IS NOT NULL
             ON CONFLICT (name) DO UPDATE SET seen_at = now(),
               alive_since = CASE WHEN r.seen_at < now() - ${maxSilence} THEN now() ELSE r.alive_since END
           )
           INSERT INTO workers AS w (id, region, started_at, heartbeat_at, about) VALUES ($1, $3, now(), now(), $2::jsonb)
           ON CONFLICT (id) DO UPDATE SET heartbeat_at = now(), about = coalesce(excluded.about, w.about)`,
    values: [workerId, about === undefined ? null : JSON.stringify(about), region ?? null],
  };
}
