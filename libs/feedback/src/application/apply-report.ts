import { ReturnPathOwner } from '#delivery';
import { OutgoingEmails } from '#emails';
import type { LockedRecipient, RecipientChange } from '#emails';
import { Clock, DomainError, Transaction, UnitOfWork } from '#kernel';
import { Suppressions } from '#suppressions';
import { Injectable } from '@nestjs/common';
import { MailReport, ReportVerdict } from '../domain/mail-report.js';
import { judge } from './judge-report.js';
import { ReportEffect, Reports } from './ports/reports.port.js';

/** The receiving server may report before we have written down that it took the message. */
export class StillUnderWayError extends DomainError {
  constructor() {
    super('unavailable', 'still_under_way', 'The message that this is about is still being delivered, try again later');
  }
}

/** Records a report on one recipient, and what follows from it, in one transaction. */
@Injectable()
export class ApplyReport {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: Reports,
    private readonly emails: OutgoingEmails,
    private readonly suppressions: Suppressions,
    private readonly clock: Clock,
  ) {}

  /** Throws `StillUnderWayError` if the outcome of the delivery is not recorded yet. */
  apply(report: MailReport, owner: ReturnPathOwner, returnPath: string): Promise<void> {
    return this.unitOfWork.run((transaction) => this.applyIn(report, owner, returnPath, transaction));
  }

  private async applyIn(
    report: MailReport,
    owner: ReturnPathOwner,
    returnPath: string,
    transaction: Transaction,
  ): Promise<void> {
    // Until the transaction ends no other report on the same recipient gets in.
    const recipient = await this.emails.lockRecipient(owner.emailId, owner.recipientNo, transaction);
    if (recipient === undefined) return;
    const { verdict, record } = judge(report, recipient.address, returnPath);
    const effect = effectOf(verdict, recipient);
    const at = this.clock.now();
    if (!(await this.reports.add(owner, { ...record, effect, receivedAt: at }, transaction))) return;
    if (effect !== 'none') await this.emails.record([changeOf(effect, verdict, owner, at)], transaction);
    await this.suppress(verdict, recipient, owner.emailId, transaction);
  }

  private async suppress(
    verdict: ReportVerdict,
    { teamId, address }: LockedRecipient,
    emailId: string,
    transaction: Transaction,
  ): Promise<void> {
    const isBadAddress = verdict.kind === 'bounced' && verdict.suppresses;
    if (!isBadAddress && verdict.kind !== 'complained') return;
    const origin = isBadAddress ? 'bounce' : 'complaint';
    await this.suppressions.add([{ teamId, email: address, origin, sourceId: emailId }], transaction);
  }
}

/** What was delivered may still bounce, be late or be complained about; every other state stays as it is. */
function effectOf(verdict: ReportVerdict, { status, wasDelayed }: LockedRecipient): ReportEffect {
  if (verdict.kind === 'recorded') return 'none';
  const isUnderWay = status === 'queued' || status === 'delayed';
  // Its delivery tells of delays itself; what ends it must not come before its end.
  if (isUnderWay && verdict.kind !== 'delayed') throw new StillUnderWayError();
  if (status !== 'delivered' || (verdict.kind === 'delayed' && wasDelayed)) return 'none';
  return verdict.kind;
}

function changeOf(
  effect: Exclude<ReportEffect, 'none'>,
  verdict: ReportVerdict,
  owner: ReturnPathOwner,
  at: Date,
): RecipientChange {
  const base = { emailId: owner.emailId, recipientNo: owner.recipientNo, at };
  switch (effect) {
    case 'bounced':
    case 'complained': {
      const data = verdict.kind === 'bounced' ? { bounce: verdict.bounce } : null;
      return { ...base, status: effect, event: `email.${effect}`, data };
    }
    // It has left us and stays delivered as far as we know: nobody here tries it again.
    case 'delayed':
      return { ...base, status: 'delivered', event: 'email.delivery_delayed', data: null };
  }
}
