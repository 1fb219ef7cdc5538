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

/** Maximum number of emails that one report to a feedback address may concern. */
const maxReported = 5;
const maxTries = 8;
const retryMs = 250;

/** The receiving server may send a report before its acceptance of the message is stored here. */
class StillUnderWayError extends DomainError {
  constructor() {
    super('unavailable', 'still_under_way', 'The message that this is about is still being delivered, try again later');
  }
}

/**
 * Processes the messages that sent mail causes: bounces after a 250, delays, complaints. A message counts only for the
 * recipient whose signed return path received it. Without a valid return path it changes nothing.
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

  /** Uses one transaction for each recipient, so that a message that is received again does only what is still missing. */
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

  /** The delivery is usually stored within milliseconds. If it is not, the other server gets a 4xx and retries for hours. */
  private async applyOnceSettled(report: MailReport, owner: ReturnPathOwner): Promise<void> {
    for (let tryNo = 1; ; tryNo++) {
      try {
        return await this.unitOfWork.run((transaction) => this.apply(report, owner, transaction));
      } catch (error) {
        if (!(error instanceof StillUnderWayError) || tryNo === maxTries) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  /** A feedback address receives reports about all mail: the signed return path is then in the reported email. */
  private returnPathsOf(recipient: string, { report, returnPaths }: ReadReport): readonly string[] {
    if (!this.addresses.has(recipient)) return [recipient];
    return report.kind === 'feedback' ? returnPaths : [];
  }

  private async apply(report: MailReport, owner: ReturnPathOwner, transaction: Transaction): Promise<void> {
    // // Holds back other reports on the same recipient until the transaction ends.
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

/** Only a delivered email can still bounce, be delayed or be complained about; every other state stays unchanged. */
function effectOf(verdict: Verdict, { status, wasDelayed }: LockedRecipient): ReportEffect {
  if (verdict.kind === 'recorded') return 'none';
  const isUnderWay = status === 'queued' || status === 'delayed';
  // // The delivery itself records delays. A final event must not be stored before the delivery has ended.
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
    // // The email was handed over and stays `delivered`: this service does not try it again.
    case 'delayed':
      return { ...base, status: 'delivered', event: 'email.delivery_delayed', data: null };
  }
}
