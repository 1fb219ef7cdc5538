import { Injectable } from '@nestjs/common';
import { ReturnPathOwner, ReturnPaths } from '#delivery';
import { FeedbackMail, FeedbackMessage } from '#smtp';
import { UnsubscribeByMail } from '#unsubscribe';
import { ServiceNames } from '#domains';
import { MailReport } from '../domain/mail-report.js';
import { ApplyReport, StillUnderWayError } from './apply-report.js';
import { ReadMailReport, MailReportReader } from './ports/reports.port.js';

const localPart = 'fbl';

/** `fbl@` the service's own hosts: the address for the feedback programmes of mailbox providers. */
@Injectable()
export class FeedbackAddresses {
  private readonly addresses: ReadonlySet<string>;

  constructor(names: ServiceNames) {
    this.addresses = new Set(names.regions.map((region) => `${localPart}@${names.hostsOf(region).host}`.toLowerCase()));
  }

  has(address: string): boolean {
    return this.addresses.has(address.toLowerCase());
  }
}

/** Maximum number of emails that one report to a feedback address may concern. */
const maxReported = 5;
const maxTries = 8;
const retryMs = 250;

/**
 * Processes the messages that sent mail causes: bounces after a 250, delays, complaints. A message counts only for the
 * recipient whose signed return path received it. Without a valid return path it changes nothing. Mail to the address of a
 * List-Unsubscribe field unsubscribes its recipient.
 */
@Injectable()
export class ReceiveFeedback extends FeedbackMail {
  constructor(
    private readonly returnPaths: ReturnPaths,
    private readonly addresses: FeedbackAddresses,
    private readonly reader: MailReportReader,
    private readonly applyReport: ApplyReport,
    private readonly unsubscribeByMail: UnsubscribeByMail,
  ) {
    super();
  }

  accepts(recipient: string): boolean {
    return (
      this.returnPaths.ownerOf(recipient) !== undefined ||
      this.addresses.has(recipient) ||
      this.unsubscribeByMail.accepts(recipient)
    );
  }

  /** Uses one transaction for each recipient, so that a message that is received again does only what is still missing. */
  async receive(message: FeedbackMessage): Promise<void> {
    const leaving = message.recipients.filter((recipient) => this.unsubscribeByMail.accepts(recipient));
    for (const recipient of leaving) await this.unsubscribeByMail.receive(recipient, message.content);
    const recipients = message.recipients.filter((recipient) => !leaving.includes(recipient));
    if (recipients.length > 0) await this.receiveReport({ ...message, recipients });
  }

  private async receiveReport({ recipients, content, clientNetwork }: FeedbackMessage): Promise<void> {
    const isForFeedbackAddress = recipients.some((recipient) => this.addresses.has(recipient));
    const read = await this.reader.read(content, clientNetwork, isForFeedbackAddress ? maxReported : 0);
    const { report } = read;
    const owners = new Map<string, { readonly owner: ReturnPathOwner; readonly address: string }>();
    for (const address of recipients.flatMap((recipient) => this.returnPathsOf(recipient, read))) {
      const owner = this.returnPaths.ownerOf(address);
      if (owner !== undefined) owners.set(`${owner.emailId} ${owner.recipientNo}`, { owner, address });
    }
    for (const { owner, address } of owners.values()) await this.applyOnceSettled(report, owner, address);
  }

  /**
   * The delivery is usually stored within milliseconds. If it is not, the other server gets a 4xx and retries for
   * hours.
   */
  private async applyOnceSettled(report: MailReport, owner: ReturnPathOwner, returnPath: string): Promise<void> {
    for (let tryNo = 1; ; tryNo++) {
      try {
        return await this.applyReport.apply(report, owner, returnPath);
      } catch (error) {
        if (!(error instanceof StillUnderWayError) || tryNo === maxTries) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  /** A feedback address receives reports about all mail: the signed return path is then in the reported email. */
  private returnPathsOf(recipient: string, { report, returnPaths }: ReadMailReport): readonly string[] {
    if (!this.addresses.has(recipient)) return [recipient];
    return report.kind === 'feedback' ? returnPaths : [];
  }
}
