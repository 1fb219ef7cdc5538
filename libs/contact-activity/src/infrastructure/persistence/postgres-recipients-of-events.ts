import { ContactAction } from '#audience';
import type { EventSpan } from '#emails';
import { engagementTypes } from '#events';
import { Transaction } from '#kernel';
import { Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { RecipientsOfEvents } from '../../application/ports/recipients-of-events.port.js';

const machine = (kind: string): string => `CASE WHEN data->'${kind}'->>'machine' = 'true' THEN 'machine_' ELSE '' END`;

@Injectable()
export class PostgresRecipientsOfEvents extends RecipientsOfEvents {
  /** The bounds let PostgreSQL skip the partitions of other days. */
  async actions(span: EventSpan, transaction: Transaction): Promise<readonly ContactAction[]> {
    return statementsOf(transaction).query<Row<ContactAction>>({
      name: 'actions-of-events',
      text: `SELECT e.team_id AS "teamId", lower(r.address) AS email, f.activity, max(f.at) AS at
             FROM (
               SELECT email_id, recipient_no AS no, created_at AS at,
                      CASE type WHEN 'email.sent' THEN 'sent'
                                WHEN 'email.opened' THEN ${machine('open')} || 'opened'
                                ELSE ${machine('click')} || 'clicked' END AS activity
               FROM published_email_events
               WHERE position > $1 AND position <= $2 AND type IN (${engagementTypes.map((type) => `'${type}'`).join(', ')})
             ) f
             CROSS JOIN LATERAL (
               SELECT team_id FROM published_emails WHERE id = f.email_id AND id BETWEEN $3 AND $4 LIMIT 1
             ) e
             CROSS JOIN LATERAL (
               SELECT address FROM published_recipients
               WHERE email_id = f.email_id AND no = f.no AND email_id BETWEEN $3 AND $4 LIMIT 1
             ) r
             GROUP BY 1, 2, 3`,
      values: [span.after, span.position, span.firstEmailId, span.lastEmailId],
    });
  }
}
