import { Database, DatabaseTransaction } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { RecipientScreening } from '../../application/acceptance/recipient-screening.js';
import { ScheduledEmails } from '../../application/ports/scheduled-emails.port.js';
import { failedBecause } from '../../domain/withheld-recipient.js';
import {
  cancelStatement,
  DueRecipient,
  dueRecipientsStatement,
  ReleasedRecipient,
  releaseStatement,
  rescheduleStatement,
  takeDueStatement,
  WithheldRecipient,
} from './schedule-statements.js';

@Injectable()
export class PostgresScheduledEmails extends ScheduledEmails {
  constructor(
    private readonly database: Database,
    private readonly queue: OutboundQueue,
    private readonly screening: RecipientScreening,
  ) {
    super();
  }

  async release(now: Date, limit: number): Promise<number> {
    const { count, queued } = await this.database.run(async (transaction) => {
      const due = await transaction.query<{ emailId: string }>(takeDueStatement(now, limit));
      const ids = due.map(({ emailId }) => emailId);
      if (ids.length === 0) return { count: 0, queued: [] };
      const withheld = await this.withheldAmong(ids, transaction);
      const released = await transaction.query<ReleasedRecipient>(releaseStatement(ids, withheld, now));
      const recipients = released.map((recipient) => queuedRecipient(recipient, now));
      if (recipients.length > 0) await this.queue.enqueue(recipients, transaction);
      return { count: ids.length, queued: recipients };
    });
    this.queue.wake(queued);
    return count;
  }

  /**
   * Finds due recipients to which nothing may be sent any more because of changes since acceptance: the API key was
   * deleted to stop the emails that it had sent (docs/wire-contract.md section 7.6), the domain was deleted with its
   * DKIM keys, the address was suppressed, or its owner does not want the topic.
   */
  private async withheldAmong(ids: readonly string[], transaction: DatabaseTransaction): Promise<WithheldRecipient[]> {
    const due = await transaction.query<DueRecipient>(dueRecipientsStatement(ids));
    const verdict = await this.screening.verdicts(due, transaction);
    return due.flatMap((recipient): WithheldRecipient[] => {
      const { emailId, no, hasKey, hasDomain } = recipient;
      const lost = hasKey ? (hasDomain ? undefined : 'domain_deleted') : 'api_key_deleted';
      const withheld = lost === undefined ? verdict(recipient) : failedBecause(lost);
      return withheld === undefined ? [] : [{ emailId, no, ...withheld }];
    });
  }

  async reschedule(teamId: string, emailId: string, dueAt: Date): Promise<boolean> {
    return (await this.database.execute(rescheduleStatement(teamId, emailId, dueAt))) > 0;
  }

  async cancel(teamId: string, emailId: string, now: Date): Promise<boolean> {
    return (await this.database.execute(cancelStatement(teamId, emailId, now))) > 0;
  }
}

function queuedRecipient({ no, ...recipient }: ReleasedRecipient, queuedAt: Date): QueuedRecipient {
  return { ...recipient, recipientNo: no, queuedAt };
}
