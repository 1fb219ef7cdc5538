import { Database } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { OutboundQueue, QueuedRecipient } from '../../application/ports/outbound-queue.port.js';
import { ScheduledEmails } from '../../application/ports/scheduled-emails.port.js';
import {
  cancelStatement,
  ReleasedRecipient,
  releaseStatement,
  rescheduleStatement,
  takeDueStatement,
} from './schedule-statements.js';

@Injectable()
export class PostgresScheduledEmails extends ScheduledEmails {
  constructor(
    private readonly database: Database,
    private readonly queue: OutboundQueue,
  ) {
    super();
  }

  async release(now: Date, limit: number): Promise<number> {
    const { count, queued } = await this.database.run(async (transaction) => {
      const due = await transaction.query<{ emailId: string }>(takeDueStatement(now, limit));
      const ids = due.map(({ emailId }) => emailId);
      if (ids.length === 0) return { count: 0, queued: [] };
      const released = await transaction.query<ReleasedRecipient>(releaseStatement(ids, now));
      const recipients = released.map((recipient) => queuedRecipient(recipient, now));
      if (recipients.length > 0) await this.queue.enqueue(recipients, transaction);
      return { count: ids.length, queued: recipients };
    });
    this.queue.wake(queued);
    return count;
  }

  async reschedule(teamId: string, emailId: string, dueAt: Date): Promise<boolean> {
    return (await this.database.execute(rescheduleStatement(teamId, emailId, dueAt))) > 0;
  }

  async cancel(teamId: string, emailId: string, now: Date): Promise<boolean> {
    return (await this.database.execute(cancelStatement(teamId, emailId, now))) > 0;
  }
}

function queuedRecipient({ emailId, no, address, size }: ReleasedRecipient, queuedAt: Date): QueuedRecipient {
  return { emailId, recipientNo: no, address, size, queuedAt };
}
