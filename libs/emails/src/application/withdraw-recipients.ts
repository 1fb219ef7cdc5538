import { Clock, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { erasedNotice } from '../domain/withheld-recipient.js';
import { EmailRepository } from './ports/email-repository.port.js';
import { OutboundQueue, ScheduledEmails } from './ports/outbound-queue.port.js';

export interface WaitingMail {
  readonly emailId: string;
  /** Of the recipients whose data is erased. */
  readonly recipientNos: readonly number[];
  readonly isScheduled: boolean;
  readonly isQueued: boolean;
}

/**
 * Ends the mail that still waits for recipients whose data is erased: nothing is sent to them any more, whether it was
 * bulk mail or not. Mail that a worker is already delivering is not withdrawn.
 */
@Injectable()
export class WithdrawRecipients {
  constructor(
    private readonly scheduled: ScheduledEmails,
    private readonly queue: OutboundQueue,
    private readonly emails: EmailRepository,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async withdraw(teamId: string, waiting: readonly WaitingMail[]): Promise<void> {
    for (const { emailId, recipientNos, isScheduled } of waiting) {
      if (isScheduled) await this.scheduled.withdraw(teamId, emailId, recipientNos, this.clock.now());
    }
    const queued = waiting.filter(({ isQueued }) => isQueued);
    if (queued.length > 0) await this.fromQueue(queued);
  }

  private fromQueue(queued: readonly WaitingMail[]): Promise<void> {
    const recipients = queued.flatMap(({ emailId, recipientNos }) =>
      recipientNos.map((recipientNo) => ({ emailId, recipientNo })),
    );
    return this.work.run(async (transaction) => {
      const withdrawn = await this.queue.withdraw(recipients, transaction);
      if (withdrawn.length === 0) return;
      const end = { status: 'suppressed', event: 'email.suppressed', data: { suppressed: erasedNotice } } as const;
      const at = this.clock.now();
      await this.emails.recordChanges(
        withdrawn.map((recipient) => ({ ...recipient, ...end, at })),
        transaction,
      );
    });
  }
}
