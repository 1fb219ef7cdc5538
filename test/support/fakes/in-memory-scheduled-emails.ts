import { Transaction, UnitOfWork } from '#kernel';
import { RecipientScreening } from '../../../libs/emails/src/application/recipient-screening.js';
import {
  OutboundQueue,
  QueuedRecipient,
  ScheduledEmails,
} from '../../../libs/emails/src/application/ports/outbound-queue.port.js';
import { isPersonal } from '../../../libs/emails/src/domain/email.js';
import { erasedNotice } from '../../../libs/emails/src/domain/withheld-recipient.js';
import { InMemoryEmail, InMemoryEmails } from './in-memory-emails.js';

/**
 * Keeps scheduled emails in memory, for tests. API keys and domains are never deleted here, so no email fails because
 * of them.
 */
export class InMemoryScheduledEmails extends ScheduledEmails {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly emails: InMemoryEmails,
    private readonly queue: OutboundQueue,
    private readonly screening: RecipientScreening,
  ) {
    super();
  }

  async release(now: Date, limit: number): Promise<number> {
    const due = [...this.emails.waiting]
      .filter(([, dueAt]) => dueAt <= now)
      .sort(([, a], [, b]) => a.getTime() - b.getTime())
      .slice(0, limit)
      .map(([id]) => id);
    for (const id of due) this.emails.waiting.delete(id);
    const queued = await this.unitOfWork.run(async (transaction) => {
      const recipients: QueuedRecipient[] = [];
      for (const id of due) recipients.push(...(await this.releaseOne(id, now, transaction)));
      await this.queue.enqueue(recipients, transaction);
      return recipients;
    });
    this.queue.wake(queued);
    return due.length;
  }

  async reschedule(teamId: string, emailId: string, dueAt: Date): Promise<boolean> {
    const stored = this.waitingEmail(teamId, emailId);
    if (stored === undefined) return false;
    this.emails.waiting.set(emailId, dueAt);
    stored.change({ scheduledAt: dueAt });
    return true;
  }

  async cancel(teamId: string, emailId: string, now: Date): Promise<boolean> {
    const stored = this.waitingEmail(teamId, emailId);
    if (stored === undefined) return false;
    this.emails.waiting.delete(emailId);
    for (const recipient of stored.recipients) recipient.status = 'canceled';
    stored.change({ lastEvent: 'canceled' });
    stored.log('email.canceled', null, null, now);
    return true;
  }

  async withdraw(teamId: string, emailId: string, recipientNos: readonly number[], now: Date): Promise<void> {
    const stored = this.waitingEmail(teamId, emailId);
    if (stored === undefined) return;
    const left = stored.recipients.filter(({ status, no }) => status === 'scheduled' && !recipientNos.includes(no));
    if (left.length === 0) return void (await this.cancel(teamId, emailId, now));
    for (const recipient of stored.recipients) {
      if (recipient.status !== 'scheduled' || left.includes(recipient)) continue;
      recipient.status = 'suppressed';
      stored.log('email.suppressed', recipient.address, { suppressed: erasedNotice }, now);
    }
  }

  private waitingEmail(teamId: string, emailId: string): InMemoryEmail | undefined {
    const stored = this.emails.waiting.has(emailId) ? this.emails.byId.get(emailId) : undefined;
    return stored?.email.teamId === teamId ? stored : undefined;
  }

  private async releaseOne(id: string, now: Date, transaction: Transaction): Promise<QueuedRecipient[]> {
    const stored = this.emails.byId.get(id) as InMemoryEmail;
    const { teamId, topicId, domainId, size } = stored.email;
    const asked = stored.recipients.map(({ address }) => ({ teamId, address, topicId }));
    const verdict = await this.screening.verdicts(asked, transaction);
    for (const recipient of stored.recipients.filter(({ status }) => status === 'scheduled')) {
      const withheld = verdict({ teamId, address: recipient.address, topicId });
      recipient.status = withheld?.status ?? 'queued';
      const type = withheld === undefined ? 'email.sent' : (`email.${withheld.status}` as const);
      stored.log(type, recipient.address, withheld?.data ?? null, now);
    }
    const queued = stored.recipients.filter(({ status }) => status === 'queued');
    const hasFailed = stored.recipients.some(({ status }) => status === 'failed');
    stored.change({ lastEvent: queued.length > 0 ? 'sent' : hasFailed ? 'failed' : 'suppressed' });
    return queued.map(({ no, address }) => ({
      emailId: id,
      teamId,
      domainId,
      region: stored.region,
      recipientNo: no,
      address,
      size,
      queuedAt: now,
      isPersonal: isPersonal(stored.email),
      isBulk: stored.email.isBulk === true,
    }));
  }
}
