import { ReadDatabase } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { BouncedAddresses } from '../../application/ports/email-repository.port.js';

/** Emails to one address, of all teams, that are examined: the newest. */
const maxExamined = 100;

@Injectable()
export class PostgresBouncedAddresses extends BouncedAddresses {
  constructor(private readonly database: ReadDatabase) {
    super();
  }

  async among(teamId: string, addresses: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.database.query<{ address: string; at: Date }>({
      text: `SELECT a.address, max(v.created_at) AS at
             FROM unnest($2::text[]) AS a (address)
             CROSS JOIN LATERAL (
               SELECT email_id, no, status, address FROM recipients
               WHERE hashtextextended(lower(address), 0) = hashtextextended(lower(a.address), 0)
               ORDER BY email_id DESC LIMIT ${maxExamined}
             ) r
             JOIN emails e ON e.id = r.email_id
             JOIN email_events v ON v.email_id = r.email_id AND v.recipient_no = r.no AND v.type = 'email.bounced'
             WHERE r.status = 'bounced' AND lower(r.address) = lower(a.address) AND e.team_id = $1
             GROUP BY a.address`,
      values: [teamId, addresses],
    });
    return new Map(rows.map(({ address, at }) => [address, at]));
  }
}
