import { Database, DatabaseTransaction } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { OutboundQueue, QueuedRecipient, ScheduledEmails } from '../../application/ports/outbound-queue.port.js';
import { RecipientScreening } from '../../application/recipient-screening.js';
import { failedBecause } from '../../domain/withheld-recipient.js';
import { adoptStatement, beforeAll, takeDueStatement, takeInTurnsStatement } from './due-statements.js';
import {
  cancelStatement,
  DueRecipient,
  dueRecipientsStatement,
  lockScheduledStatement,
  ReleasedRecipient,
  releaseStatement,
  rescheduleStatement,
  withdrawStatement,
  WithheldRecipient,
} from './schedule-statements.js';

@Injectable()
export class PostgresScheduledEmails extends ScheduledEmails {
  /** After which team the next turn is; undefined while batches take everything that is due. */
  private afterTeam: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: OutboundQueue,
    private readonly screening: RecipientScreening,
  ) {
    super();
  }

  async release(now: Date, limit: number): Promise<number> {
    const { count, queued } = await this.database.run(async (transaction) => {
      const ids = await this.takeDue(now, limit, transaction);
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
   * Where more is due than one batch takes, teams take turns until each has had one, so that the mail of one team does
   * not stand before everybody's. A round costs a look-up for each team that has scheduled mail. Otherwise it is one
   * statement.
   */
  private async takeDue(now: Date, limit: number, transaction: DatabaseTransaction): Promise<readonly string[]> {
    const taken: string[] = [];
    while (this.afterTeam !== undefined && taken.length < limit) {
      const rows = await transaction.query<{ emailId: string | null; lookedAt: string | null }>(
        takeInTurnsStatement(now, limit - taken.length, this.afterTeam),
      );
      this.afterTeam = rows[0]?.lookedAt ?? undefined;
      taken.push(...rows.flatMap(({ emailId }) => emailId ?? []));
    }
    const room = limit - taken.length;
    if (room === 0) return taken;
    const oldest = await transaction.query<{ emailId: string }>(takeDueStatement(now, room));
    if (oldest.length === room) {
      this.afterTeam = beforeAll;
      await transaction.execute(adoptStatement(now));
    }
    return [...taken, ...oldest.map(({ emailId }) => emailId)];
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

  async withdraw(teamId: string, emailId: string, recipientNos: readonly number[], now: Date): Promise<void> {
    await this.database.run(async (transaction) => {
      const [waiting] = await transaction.query<{ hasOthers: boolean }>(
        lockScheduledStatement(teamId, emailId, recipientNos),
      );
      if (waiting === undefined) return;
      await transaction.execute(
        waiting.hasOthers ? withdrawStatement(emailId, recipientNos, now) : cancelStatement(teamId, emailId, now),
      );
    });
  }
}

function queuedRecipient({ no, ...recipient }: ReleasedRecipient, queuedAt: Date): QueuedRecipient {
  return { ...recipient, recipientNo: no, queuedAt };
}
