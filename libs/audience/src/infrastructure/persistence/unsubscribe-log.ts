import { EventLog, LoggedEvent } from '#postgres/events';

/** A stretch of the log of unsubscribes, for a consumer that counts them in one statement. */
export interface UnsubscribeSpan extends LoggedEvent {
  /** The position before its first one. */
  readonly after: string;
  /** The lowest and the highest id of the emails by whose links people unsubscribed. */
  readonly firstEmailId: string;
  readonly lastEmailId: string;
}

/**
 * Who unsubscribed by the link of an email, as one span for each step of the consumer. The consumer has to set `maxSpan`, and reads the
 * rows of the span itself (`published_unsubscribes`).
 */
export const unsubscribeSpanLog: EventLog<UnsubscribeSpan> = {
  sequence: 'contact_unsubscribe_positions',
  text: `WITH span AS MATERIALIZED (
           SELECT email_id FROM contact_unsubscribes WHERE position > $1 AND position <= $2 AND email_id IS NOT NULL
         )
         SELECT $2::bigint AS position, $1::bigint AS after,
                (SELECT email_id FROM span ORDER BY email_id LIMIT 1) AS "firstEmailId",
                (SELECT email_id FROM span ORDER BY email_id DESC LIMIT 1) AS "lastEmailId"
         WHERE EXISTS (SELECT FROM span) LIMIT $3`,
};
