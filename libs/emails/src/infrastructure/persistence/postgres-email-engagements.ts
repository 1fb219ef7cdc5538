import { Transaction } from '#kernel';
import { statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { EmailEngagements, EmailRecipient } from '../../application/ports/email-repository.port.js';
import { Engagement } from '../../domain/engagement.js';
import { deliveryTimesStatement, engagementsStatement } from './engagement-statements.js';

@Injectable()
export class PostgresEmailEngagements extends EmailEngagements {
  async deliveredAt(
    recipients: readonly EmailRecipient[],
    transaction: Transaction,
  ): Promise<readonly (Date | undefined)[]> {
    if (recipients.length === 0) return [];
    const rows = await statementsOf(transaction).query<{ deliveredAt: Date | null }>(
      deliveryTimesStatement(recipients),
    );
    return rows.map(({ deliveredAt }) => deliveredAt ?? undefined);
  }

  async record(engagements: readonly Engagement[], transaction: Transaction): Promise<void> {
    if (engagements.length > 0) await statementsOf(transaction).execute(engagementsStatement(engagements));
  }
}
