import { Injectable } from '@nestjs/common';
import { Database, DatabaseTransaction } from '#postgres/database';
import { RecipientRows } from '#postgres/privacy';
import { DeliveryTraces } from '../../application/ports/delivery-queue.port.js';
import { LaneReport } from '../../domain/lane-limits.js';
import { EmailTrace, QueuePlace, TracedAttempt, TracedEvent, TracedReport } from '../../domain/recipient-trace.js';

interface EmailRow extends Record<string, unknown> {
  readonly createdAt: Date;
  readonly scheduledAt: Date | null;
}

interface RecipientRow extends Record<string, unknown> {
  readonly no: number;
  readonly address: string;
  readonly status: string;
  readonly lane: string | null;
  readonly queuedAt: Date;
  readonly dueAt: Date;
  readonly attempts: number;
  readonly isHeld: boolean;
  readonly isLaneTaken: boolean;
  readonly report: (LaneReport & { readonly at: string }) | null;
  readonly isBulk: boolean;
  readonly transactionalAhead: number | null;
  readonly ahead: number | null;
  readonly pauseSince: Date;
  readonly pausedUntil: Date | null;
  readonly pauseReason: string;
}

/** Recipients counted ahead of a waiting one. */
const maxAhead = 1_000;

/** Transactional mail of one kind that goes before the row `q`. Bulk mail comes after all that is due or under way. */
const transactionalBefore = (kind: string): string => `(SELECT false AS is_bulk FROM outbound_queue a
                  WHERE a.lane = q.lane AND a.due_at < CASE WHEN q.is_bulk THEN now() ELSE q.due_at END
                    AND (a.worker_id IS NULL OR q.is_bulk) AND a.is_bulk IS NULL AND ${kind}
                  ORDER BY a.due_at LIMIT ${maxAhead})`;

type OfRecipient<T> = T & { readonly no: number | null } & Record<string, unknown>;

/**
 * Events read of one email: a megabyte at most. The events beyond are opens and clicks, which say nothing about its
 * delivery.
 */
const maxEvents = 500;

/** Reads the rows of acceptance, the queue and the attempts. All rows of one email are in the partitions of one day. */
@Injectable()
export class PostgresDeliveryTraces extends DeliveryTraces {
  constructor(private readonly database: Database) {
    super();
  }

  /** Reads everything in one snapshot, so that the trace is consistent. */
  find(teamId: string, emailId: string): Promise<EmailTrace | undefined> {
    return this.database.run(async (snapshot) => {
      await snapshot.execute({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' });
      return this.read(teamId, emailId, snapshot);
    });
  }

  private async read(teamId: string, emailId: string, snapshot: DatabaseTransaction): Promise<EmailTrace | undefined> {
    const [email] = await snapshot.query<EmailRow>({
      text: `SELECT created_at AS "createdAt", scheduled_at AS "scheduledAt" FROM published_emails
             WHERE id = $1 AND team_id = $2`,
      values: [emailId, teamId],
    });
    if (email === undefined) return undefined;
    const [recipients, attempts, reports, events] = await Promise.all([
      this.recipients(emailId, snapshot),
      this.attempts(emailId, snapshot),
      this.reports(emailId, snapshot),
      this.events(emailId, snapshot),
    ]);
    return {
      emailId,
      createdAt: email.createdAt,
      scheduledAt: email.scheduledAt,
      events: events.filter(({ no }) => no === null),
      recipients: recipients.map((row) => ({
        no: row.no,
        address: row.address,
        status: row.status,
        place: placeOf(row),
        attempts: attempts.filter(({ no }) => no === row.no),
        reports: reports.filter(({ no }) => no === row.no),
        events: events.filter(({ no }) => no === row.no),
      })),
    };
  }

  private recipients(emailId: string, snapshot: DatabaseTransaction): Promise<RecipientRow[]> {
    return snapshot.query({
      text: `SELECT r.no, r.address, r.status, q.lane, q.queued_at AS "queuedAt", q.due_at AS "dueAt",
                    q.attempt AS attempts, q.worker_id IS NOT NULL AS "isHeld", l.name IS NOT NULL AS "isLaneTaken",
                    l.report, q.is_bulk IS TRUE AS "isBulk", ahead.transactional AS "transactionalAhead", ahead.n AS ahead,
                    p.since AS "pauseSince", p.until AS "pausedUntil", p.reason AS "pauseReason"
             FROM published_recipients r
             LEFT JOIN outbound_queue q ON q.email_id = r.email_id AND q.recipient_no = r.no
             LEFT JOIN lanes l ON l.name = q.lane
             LEFT JOIN lane_pauses p ON p.lane = q.lane
             LEFT JOIN LATERAL (
               SELECT least(count(*) FILTER (WHERE NOT is_bulk), ${maxAhead})::int AS transactional,
                      least(count(*), ${maxAhead})::int AS n
               FROM (
                 ${transactionalBefore('a.due_at <= a.queued_at')}
                 UNION ALL
                 ${transactionalBefore('a.due_at > a.queued_at')}
                 UNION ALL
                 (SELECT true FROM outbound_queue a
                  WHERE a.lane = q.lane AND a.due_at < q.due_at AND a.worker_id IS NULL AND a.is_bulk AND q.is_bulk
                  ORDER BY a.due_at LIMIT ${maxAhead})
               ) before
             ) ahead ON (l.report IS NOT NULL OR q.is_bulk) AND q.worker_id IS NULL
             WHERE r.email_id = $1 ORDER BY r.no`,
      values: [emailId],
    });
  }

  private attempts(emailId: string, snapshot: DatabaseTransaction): Promise<OfRecipient<TracedAttempt>[]> {
    return snapshot.query({
      text: `SELECT recipient_no AS no, attempt, started_at AS "startedAt", duration_ms AS "durationMs", outcome, category,
                    reason, host, address, tls, reply_code AS "replyCode", enhanced_code AS "enhancedCode",
                    reply_text AS "replyText", timings, region, pool,
                    source_address AS "sourceAddress"
             FROM delivery_attempts WHERE email_id = $1 ORDER BY recipient_no, attempt`,
      values: [emailId],
    });
  }

  private reports(emailId: string, snapshot: DatabaseTransaction): Promise<OfRecipient<TracedReport>[]> {
    return snapshot.query({
      text: `SELECT recipient_no AS no, received_at AS "receivedAt", kind, reporter, action, status, category, diagnostic,
                    effect
             FROM published_feedback_reports WHERE email_id = $1 ORDER BY recipient_no, received_at, digest`,
      values: [emailId],
    });
  }

  private events(emailId: string, snapshot: DatabaseTransaction): Promise<OfRecipient<TracedEvent>[]> {
    return snapshot.query({
      text: `SELECT recipient_no AS no, seq, type, created_at AS "createdAt", data
             FROM published_email_events WHERE email_id = $1 ORDER BY seq LIMIT $2`,
      values: [emailId, maxEvents],
    });
  }
}

function placeOf(row: RecipientRow): QueuePlace | null {
  if (row.lane === null) return null;
  const { pausedUntil, pauseSince, pauseReason } = row;
  const pause = pausedUntil === null ? null : { since: pauseSince, until: pausedUntil, reason: pauseReason };
  const { lane, queuedAt, dueAt, attempts, isHeld, isLaneTaken, isBulk } = row;
  const report = row.report === null ? null : { ...row.report, at: new Date(row.report.at) };
  const ahead = { ahead: row.ahead ?? 0, transactionalAhead: row.transactionalAhead ?? 0 };
  return { lane, queuedAt, dueAt, attempts, isHeld, isLaneTaken, isBulk, report, ...ahead, pause };
}

/** What receiving servers said about a recipient: their replies usually repeat the address. */
@Injectable()
export class AttemptsData extends RecipientRows {
  readonly name = 'attempts';

  protected readonly read = `
    SELECT a.email_id AS "emailId", a.recipient_no AS "recipientNo",
           json_build_object('attempt', a.attempt, 'started_at', a.started_at, 'outcome', a.outcome, 'host', a.host,
                             'reply', a.reply_text, 'reason', a.reason) AS record
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    CROSS JOIN LATERAL (
      SELECT * FROM delivery_attempts WHERE email_id = q.email_id AND recipient_no = q.no AND email_id BETWEEN $3 AND $4
      ORDER BY attempt LIMIT 100
    ) a`;

  protected readonly clear = `
    UPDATE delivery_attempts a SET reason = NULL, reply_text = NULL
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    WHERE a.email_id = q.email_id AND a.recipient_no = q.no AND a.email_id BETWEEN $3 AND $4`;
}
