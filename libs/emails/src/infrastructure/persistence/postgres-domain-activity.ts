import { DomainActivity } from '#domains';
import { firstIdAt, Transaction } from '#kernel';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { OutboundQueue } from '../../application/ports/outbound-queue.port.js';

@Injectable()
export class PostgresDomainActivity extends DomainActivity {
  constructor(
    private readonly database: Database,
    private readonly queue: OutboundQueue,
  ) {
    super();
  }

  async hasScheduledEmails(domainId: string): Promise<boolean> {
    const rows = await this.database.query({
      text: `SELECT 1 FROM scheduled_emails s JOIN emails e ON e.id = s.email_id WHERE e.domain_id = $1 LIMIT 1`,
      values: [domainId],
    });
    return rows.length > 0;
  }

  /** The id contains the time of acceptance, so only the partitions of those days are read. */
  async hasSentSince(teamId: string, domainId: string, since: Date): Promise<boolean> {
    const rows = await this.database.query({
      text: 'SELECT 1 FROM emails WHERE team_id = $1 AND domain_id = $2 AND id >= $3 LIMIT 1',
      values: [teamId, domainId, firstIdAt(since)],
    });
    return rows.length > 0;
  }

  domainDeleted(domainId: string, transaction: Transaction): Promise<void> {
    return this.queue.makeDue(domainId, transaction);
  }
}
