import { ContactAction } from '#audience';
import { Transaction } from '#kernel';
import { boundsOf, Row, statementsOf, storableJson } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { EngagementEvent, RecipientsOfEvents } from '../../application/ports/recipients-of-events.port.js';

@Injectable()
export class PostgresRecipientsOfEvents extends RecipientsOfEvents {
  /** The bounds let PostgreSQL skip the partitions of other days. */
  async actions(events: readonly EngagementEvent[], transaction: Transaction): Promise<readonly ContactAction[]> {
    if (events.length === 0) return [];
    return statementsOf(transaction).query<Row<ContactAction>>({
      name: 'actions-of-events',
      text: `SELECT e.team_id AS "teamId", lower(r.address) AS email, f.activity, max(f.at) AS at
             FROM json_to_recordset($1::json) AS f (email_id uuid, no smallint, activity text, at timestamptz)
             CROSS JOIN LATERAL (
               SELECT team_id FROM published_emails WHERE id = f.email_id AND id BETWEEN $2 AND $3 LIMIT 1
             ) e
             CROSS JOIN LATERAL (
               SELECT address FROM published_recipients
               WHERE email_id = f.email_id AND no = f.no AND email_id BETWEEN $2 AND $3 LIMIT 1
             ) r
             GROUP BY 1, 2, 3`,
      values: [
        storableJson(
          events.map((event) => ({
            email_id: event.emailId,
            no: event.recipientNo,
            activity: activityOf(event),
            at: event.createdAt,
          })),
        ),
        ...boundsOf(events.map(({ emailId }) => emailId)),
      ],
    });
  }
}

function activityOf({ type, data }: EngagementEvent): ContactAction['activity'] {
  if (type === 'email.sent') return 'sent';
  const { open, click } = (data ?? {}) as { open?: { machine?: unknown }; click?: { machine?: unknown } };
  if (type === 'email.opened') return open?.machine === true ? 'machine_opened' : 'opened';
  return click?.machine === true ? 'machine_clicked' : 'clicked';
}
