import { ReturnPathOwner, ReturnPaths } from '#delivery';
import { IncomingMail, IncomingMessage } from '#smtp';
import { Injectable } from '@nestjs/common';
import { MailReport } from '../domain/mail-report.js';
import { ApplyReport, StillUnderWayError } from './apply-report.js';
import { FeedbackAddresses } from './feedback-addresses.js';
import { ReadReport, ReportReader } from './ports/report-reader.port.js';

/** Emails that one report to a feedback address may be about. */
const maxReported = 5;
const maxLooks = 8;
const lookAgainMs = 250;

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
    private readonly applyReport: ApplyReport,
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
        return await this.applyReport.execute(report, owner);
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
}
