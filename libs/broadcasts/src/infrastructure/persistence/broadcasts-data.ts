import { Database } from '#postgres/database';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { erasedAddress } from '../../domain/statistics.js';

const portion = 500;
/** Rows that were erased are not found again, so each portion is the first one. Positions are ids. */
const first = '00000000-0000-0000-0000-000000000000';

type Known = { readonly broadcastId: string; readonly contactId: string; readonly [field: string]: unknown };

/** The broadcasts that an address was sent. What is erased stays counted: statistics know no address. */
@Injectable()
export class BroadcastsData extends PersonalData {
  readonly name = 'broadcasts';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (let after: string | undefined; ;) {
      const rows = await this.database.query<Known>({
        text: `SELECT r.broadcast_id AS "broadcastId", r.contact_id AS "contactId", b.name, b.subject, r.email, r.outcome, r.reason,
                      r.email_id, (SELECT json_agg(json_build_object('type', s.kind, 'count', s.count, 'first_at', s.first_at)
                                                   ORDER BY s.first_at, s.kind)
                                   FROM broadcast_results s
                                   WHERE s.broadcast_id = r.broadcast_id AND s.contact_id = r.contact_id
                                     AND s.kind = ANY (ARRAY['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained',
                                                             'unsubscribed', 'suppressed', 'failed'])) AS results,
                      (SELECT json_agg(json_build_object('url', l.url, 'clicks', k.clicks) ORDER BY l.url)
                       FROM broadcast_recipient_links k JOIN broadcast_links l ON l.broadcast_id = k.broadcast_id AND l.id = k.link_id
                       WHERE k.broadcast_id = r.broadcast_id AND k.contact_id = r.contact_id) AS clicked_links
               FROM broadcast_recipients r JOIN broadcasts b ON b.id = r.broadcast_id
               WHERE r.team_id = $1 AND r.email = ANY ($2) AND r.broadcast_id > coalesce($3, '00000000-0000-0000-0000-000000000000'::uuid)
               ORDER BY r.broadcast_id LIMIT $4`,
        values: [teamId, spellings.stored, after, portion],
      });
      for (const { broadcastId, contactId: _contact, ...record } of rows)
        yield { broadcast_id: broadcastId, ...record };
      if (rows.length < portion) return;
      after = rows.at(-1)?.broadcastId;
    }
  }

  /**
   * A row that is being written waits here for its transaction. Those that are still planned lose nothing: the contact
   * is gone.
   */
  async erase({ teamId, spellings }: DataSubject): Promise<ErasedPortion> {
    const rows = await this.database.query<{ id: string }>({
      text: `UPDATE broadcast_recipients r SET email = $3
             FROM (SELECT broadcast_id, contact_id FROM broadcast_recipients WHERE team_id = $1 AND email = ANY ($2)
                   ORDER BY broadcast_id, contact_id LIMIT $4 FOR UPDATE) q
             WHERE r.broadcast_id = q.broadcast_id AND r.contact_id = q.contact_id
             RETURNING r.broadcast_id AS id`,
      values: [teamId, spellings.stored, erasedAddress, portion],
    });
    return { erased: rows.length, next: rows.length < portion ? undefined : first, isWaiting: false };
  }
}
