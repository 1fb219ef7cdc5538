import { Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, Row } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { ContactBroadcasts } from '../../application/ports/contact-broadcasts.port.js';
import { ContactBroadcast, contactResults } from '../../domain/contact-broadcast.js';

type ContactBroadcastRow = Row<
  Omit<ContactBroadcast, 'results'> & {
    results: readonly { type: ContactBroadcast['results'][number]['type']; count: number; at: string }[];
  }
>;

@Injectable()
export class PostgresContactBroadcasts extends ContactBroadcasts {
  constructor(private readonly database: Database) {
    super();
  }

  /** The page is cut along the index of the contact. Then the results of each broadcast are looked up by their key. */
  async list(contactId: string, page: PageRequest): Promise<Page<ContactBroadcast>> {
    const { condition, order, values } = keysetCondition(page, 3);
    const rows = await this.database.query<ContactBroadcastRow>({
      text: `
        SELECT r.id AS "broadcastId", b.name, b.subject, r.email_id AS "emailId", r.reason, coalesce(s.results, '[]') AS results
        FROM (
          SELECT * FROM (SELECT broadcast_id AS id, email_id, reason FROM broadcast_recipients WHERE contact_id = $1) got
          WHERE true ${condition} ${order}
        ) r
        JOIN broadcasts b ON b.id = r.id
        CROSS JOIN LATERAL (
          SELECT json_agg(json_build_object('type', kind, 'count', count, 'at', first_at)
                          ORDER BY first_at, array_position($2::text[], kind)) AS results
          FROM broadcast_results WHERE broadcast_id = r.id AND kind = ANY ($2::text[]) AND contact_id = $1
        ) s
        ${order.replace('ORDER BY id', 'ORDER BY r.id')}`,
      values: [contactId, contactResults, ...values],
    });
    return pageOf(
      page,
      rows.map(({ results, ...row }) => ({
        ...row,
        id: row.broadcastId,
        results: results.map((result) => ({ ...result, at: new Date(result.at) })),
      })),
    );
  }
}
