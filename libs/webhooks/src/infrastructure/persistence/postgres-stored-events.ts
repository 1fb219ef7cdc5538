import { boundsOf, Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { StoredEvents } from '../../application/ports/stored-events.port.js';
import { StoredEmailEvent, StoredEvent } from '../../domain/payload.js';
import { EventSource } from '../../domain/webhook-message.js';

type EmailRow = Omit<StoredEmailEvent, 'kind'> & { readonly seq: number } & Record<string, unknown>;

/**
 * Reads events from the views of the libs that wrote them. The bounds let PostgreSQL skip the partitions of other days.
 * The limits make it look up each row by its key; a plain join might read everything between the bounds.
 */
@Injectable()
export class PostgresStoredEvents extends StoredEvents {
  constructor(private readonly database: Database) {
    super();
  }

  async load(sources: readonly EventSource[]): Promise<readonly (StoredEvent | undefined)[]> {
    const ofEmails = sources.filter(({ seq }) => seq !== null);
    const ofTeams = sources.filter(({ seq }) => seq === null);
    const found = new Map([...(await this.emailEvents(ofEmails)), ...(await this.teamEvents(ofTeams))]);
    return sources.map((source) => found.get(keyOf(source.id, source.seq)));
  }

  private async emailEvents(sources: readonly EventSource[]): Promise<[string, StoredEvent][]> {
    if (sources.length === 0) return [];
    const rows = await this.database.query<EmailRow>({
      name: 'webhook-email-events',
      text: `SELECT v.email_id AS "emailId", v.seq, v.data, e.message_id AS "messageId", e.created_at AS "acceptedAt",
                    e."from", e."to", e.subject, e.tags, e.headers, r.address AS recipient, b.broadcast_id AS "broadcastId",
                    e.template_id AS "templateId"
             FROM unnest($1::uuid[], $2::int[]) AS m (email_id, seq)
             CROSS JOIN LATERAL (
               SELECT * FROM published_email_events
               WHERE email_id = m.email_id AND seq = m.seq AND email_id BETWEEN $3 AND $4 LIMIT 1
             ) v
             CROSS JOIN LATERAL (
               SELECT * FROM published_emails WHERE id = m.email_id AND id BETWEEN $3 AND $4 LIMIT 1
             ) e
             LEFT JOIN LATERAL (
               SELECT address FROM published_recipients
               WHERE email_id = m.email_id AND no = v.recipient_no AND email_id BETWEEN $3 AND $4 LIMIT 1
             ) r ON true
             LEFT JOIN LATERAL (
               SELECT broadcast_id FROM published_broadcast_emails WHERE email_id = m.email_id LIMIT 1
             ) b ON true`,
      values: [sources.map(({ id }) => id), sources.map(({ seq }) => seq), ...boundsOf(sources.map(({ id }) => id))],
    });
    return rows.map((row) => [keyOf(row.emailId, row.seq), { ...row, kind: 'email' }]);
  }

  private async teamEvents(sources: readonly EventSource[]): Promise<[string, StoredEvent][]> {
    if (sources.length === 0) return [];
    const rows = await this.database.query<{ id: string; data: string }>({
      name: 'webhook-team-events',
      text: `SELECT id, data::text FROM published_team_events WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [sources.map(({ id }) => id), ...boundsOf(sources.map(({ id }) => id))],
    });
    return rows.map(({ id, data }) => [keyOf(id, null), { kind: 'team', data }]);
  }
}

function keyOf(id: string, seq: number | null): string {
  return `${id} ${seq}`;
}
