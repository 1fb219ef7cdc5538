import { engagementTypes, outcomeTypes, refusalTypes } from '#events';
import { EventLog } from '#postgres/events';

/** An event as consumers read it. */
export interface LoggedEmailEvent {
  readonly position: string;
  readonly emailId: string;
  /** Counts from 1 within the email, without gaps. */
  readonly seq: number;
  readonly recipientNo: number | null;
  readonly createdAt: Date;
  readonly type: string;
  readonly data: unknown;
}

const list = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');

/**
 * The events of all emails, for consumers, in order per email. Every writer of events locks the row of the email first,
 * because the event numbers come from that row.
 */
export const emailEventLog: EventLog<LoggedEmailEvent> = {
  sequence: 'email_event_positions',
  text: `SELECT position, email_id AS "emailId", seq, recipient_no AS "recipientNo", created_at AS "createdAt", type, data
         FROM email_events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`,
};

/** The events with which sending to an address ends: it bounced, or its owner complained. They are few among all events. */
export const refusalEventLog: EventLog<LoggedEmailEvent> = {
  sequence: 'email_event_positions',
  text: `SELECT position, email_id AS "emailId", seq, recipient_no AS "recipientNo", created_at AS "createdAt", type, data
         FROM email_events
         WHERE position > $1 AND position <= $2 AND type IN (${list(refusalTypes)})
         ORDER BY position LIMIT $3`,
};

/** What became of mail after it was accepted: of all kinds, but few where mail is only accepted. */
export const outcomeEventLog: EventLog<LoggedEmailEvent> = {
  sequence: 'email_event_positions',
  text: `SELECT position, email_id AS "emailId", seq, recipient_no AS "recipientNo", created_at AS "createdAt", type, data
         FROM email_events
         WHERE position > $1 AND position <= $2 AND type IN (${list(outcomeTypes)})
         ORDER BY position LIMIT $3`,
};

/** A stretch of the log with events of some types, for a consumer that handles them in one statement. */
export interface EventSpan {
  /** Its last position. */
  readonly position: string;
  /** The position before its first one. */
  readonly after: string;
  /** The lowest and the highest id of the emails concerned. */
  readonly firstEmailId: string;
  readonly lastEmailId: string;
}

/**
 * One span for each step of the consumer, in place of single events. The consumer has to set `maxSpan`, and reads the
 * events of the span itself (`published_email_events`).
 */
const spanLog = (types: readonly string[]): EventLog<EventSpan> => ({
  sequence: 'email_event_positions',
  text: `WITH span AS MATERIALIZED (
           SELECT email_id FROM email_events
           WHERE position > $1 AND position <= $2 AND type IN (${list(types)})
         )
         SELECT $2::bigint AS position, $1::bigint AS after,
                (SELECT email_id FROM span ORDER BY email_id LIMIT 1) AS "firstEmailId",
                (SELECT email_id FROM span ORDER BY email_id DESC LIMIT 1) AS "lastEmailId"
         WHERE EXISTS (SELECT FROM span) LIMIT $3`,
});

/** What became of mail after it was accepted. */
export const outcomeSpanLog = spanLog(outcomeTypes);

/** What shows that somebody was reached: what was sent, opened and clicked. */
export const engagementSpanLog = spanLog(engagementTypes);

/**
 * For the migration that adds the first consumer: from then on every event gets a position. This costs 3 to 4 µs of
 * PostgreSQL's CPU and 74 bytes of WAL per event (without it an event costs 11 µs and 193 bytes), measured in batches
 * of 256. A transaction must get its id before it draws a position, and CASE guarantees that order.
 */
export const emailEventPositions = `
  ALTER TABLE email_events ALTER COLUMN position
  SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('email_event_positions') END`;
