import { ReturnPathOwner, ReturnPaths } from '#delivery';
import { OutgoingEmails } from '#emails';
import type { LockedRecipient, RecipientChange } from '#emails';
import { Clock, DomainError, Transaction, UnitOfWork } from '#kernel';
import { IncomingMail, IncomingMessage } from '#smtp';
import { AddSuppression } from '#suppressions';
import { Injectable } from '@nestjs/common';
import { MailReport, Verdict } from '../domain/mail-report.js';
import { FeedbackAddresses } from './feedback-addresses.js';
import { judge } from './judge-report.js';
import { ReadReport, ReportReader } from './ports/report-reader.port.js';
import { ReportEffect, Reports } from './ports/reports.port.js';

/** Emails that one report to a feedback address may be about. */
const maxReported = 5;
const maxLooks = 8;
const lookAgainMs = 250;

/** The receiving server may report before we have written down that it took the message. */
class StillUnderWayError extends DomainError {
  constructor() {
    super('unavailable', 'still_under_way', 'The message that this is about is still being delivered, try again later');
  }
}

/**
 * What comes back for mail that was sent: bounces after a 250, delays, complaints. A message counts for the recipient whose
 * signed return path it was sent to, and says nothing about anyone else; without one of those it changes nothing.
 */
@Injectable()
export class ReceiveFeedback extends IncomingMail {
  constructor(
    private readonly returnPaths: ReturnPaths,
    private readonly addresses: FeedbackAddresses,
    private readonly reader: ReportReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: Reports,
    private readonly emails: OutgoingEmails,
    private readonly addSuppression: AddSuppression,
    private readonly clock: Clock,
  ) {
    super();
  }

  accepts(recipient: string): boolean {
    return this.returnPaths.ownerOf(recipient) !== undefined || this.addresses.has(recipient);
  }

  /** Each recipient in a transaction of its own: a message that comes again does only what was not done yet. */
  async receive({ recipients, content, clientNetwork }: IncomingMessage): Promise<void> {
    const isForFeedbackAddress = recipients.some((recipient) => this.addresses.has(recipient));
    const read = await this.reader.read(content, clientNetwork, isForFeedbackAddress ? maxReported : 0);
    const { report } = read;
    const owners = new Map<string, ReturnPathOwner>();
    for (const address of recipients.flatMap((recipient) => this.returnPathsOf(recipient, read))) {
      const owner = this.returnPaths.ownerOf(address);
      if (owner !== undefined) owners.set(`${owner.emailId} ${owner.recipientNo}`, owner);
    }
    for (const owner of owners.values()) {
      await this.applyOnceSettled(report, owner);
    }
  }

  /** Mostly it is a matter of milliseconds until it is written down; if not, the other server has hours. */
  private async applyOnceSettled(report: MailReport, owner: ReturnPathOwner): Promise<void> {
    for (let look = 1; ; look++) {
      try {
        return await this.unitOfWork.run((transaction) => this.apply(report, owner, transaction));
      } catch (error) {
        if (!(error instanceof StillUnderWayError) || look === maxLooks) throw error;
        await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
      }
    }
  }

  /** A feedback address gets reports on everybody's mail: our signature stands in the message that is reported. */
  private returnPathsOf(recipient: string, { report, returnPaths }: ReadReport): readonly string[] {
    if (!this.addresses.has(recipient)) return [recipient];
    return report.kind === 'feedback' ? returnPaths : [];
  }

  private async apply(report: MailReport, owner: ReturnPathOwner, transaction: Transaction): Promise<void> {
    // Until the transaction ends no other report on the same recipient gets in.
    const recipient = await this.emails.lockRecipient(owner.emailId, owner.recipientNo, transaction);
    if (recipient === undefined) return;
    const { verdict, record } = judge(report, recipient.address);
    const effect = effectOf(verdict, recipient);
    const at = this.clock.now();
    if (!(await this.reports.add(owner, { ...record, effect, receivedAt: at }, transaction))) return;
    if (effect !== 'none') await this.emails.record([changeOf(effect, verdict, owner, at)], transaction);
    await this.suppress(verdict, recipient, owner.emailId, transaction);
  }

  private async suppress(
    verdict: Verdict,
    { teamId, address }: LockedRecipient,
    emailId: string,
    transaction: Transaction,
  ): Promise<void> {
    const isBadAddress = verdict.kind === 'bounced' && verdict.suppresses;
    if (!isBadAddress && verdict.kind !== 'complained') return;
    const origin = isBadAddress ? 'bounce' : 'complaint';
    await this.addSuppression.execute([{ teamId, email: address, origin, sourceId: emailId }], transaction);
  }
}

/** What was delivered may still bounce, be late or be complained about; every other state stays as it is. */
function effectOf(verdict: Verdict, { status, wasDelayed }: LockedRecipient): ReportEffect {
  if (verdict.kind === 'recorded') return 'none';
  const isUnderWay = status === 'queued' || status === 'delayed';
  // Its delivery tells of delays itself; what ends it must not come before its end.
  if (isUnderWay && verdict.kind !== 'delayed') throw new StillUnderWayError();
  if (status !== 'delivered' || (verdict.kind === 'delayed' && wasDelayed)) return 'none';
  return verdict.kind;
}

function changeOf(
  effect: Exclude<ReportEffect, 'none'>,
  verdict: Verdict,
  owner: ReturnPathOwner,
  at: Date,
): RecipientChange {
  const base = { emailId: owner.emailId, recipientNo: owner.recipientNo, at };
  switch (effect) {
    case 'bounced': {
      const data = verdict.kind === 'bounced' ? { bounce: verdict.bounce } : null;
      return { ...base, status: 'bounced', event: 'email.bounced', data };
    }
    case 'complained':
      return { ...base, status: 'complained', event: 'email.complained', data: null };
    // It has left us and stays delivered as far as we know: nobody here tries it again.
    case 'delayed':
      return { ...base, status: 'delivered', event: 'email.delivery_delayed', data: null };
  }
}
