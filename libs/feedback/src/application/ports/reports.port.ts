import type { ReturnPathOwner } from '#delivery';
import { Transaction } from '#kernel';
import { MailReport, ReportRecord } from '../../domain/mail-report.js';

/** The change that a report has caused. */
export type ReportEffect = 'bounced' | 'delayed' | 'complained' | 'none';

/** The received reports, stored by the recipient that they concern. */
export abstract class Reports {
  /** Resolves to false if the same report, or too many, came before. The report must then have no effect. */
  abstract add(
    owner: ReturnPathOwner,
    report: ReportRecord & { readonly effect: ReportEffect; readonly receivedAt: Date },
    transaction: Transaction,
  ): Promise<boolean>;
}

export interface ReadMailReport {
  readonly report: MailReport;
  /**
   * Return paths found anywhere in the message, for example in the headers of the reported email, without duplicates. Empty
   * if `maxReturnPaths` is 0.
   */
  readonly returnPaths: readonly string[];
}

/**
 * Reads untrusted messages as reports. Never throws for any content: a message that is not a report, or takes too long to
 * read, is of kind `unknown`. Throws a DomainError of kind `unavailable` if too many messages are waiting to be read.
 */
export abstract class MailReportReader {
  /** The work is charged to `owner`. Stops looking for return paths after `maxReturnPaths`. */
  abstract read(content: Uint8Array, owner: string, maxReturnPaths: number): Promise<ReadMailReport>;
}

export interface RefusedRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
  readonly teamId: string;
  readonly address: string;
}

/** Tells whom events of emails concern. */
export abstract class RefusedRecipients {
  /** Without those whose email is no longer stored. One read for all. */
  abstract of(
    events: readonly { readonly emailId: string; readonly recipientNo: number }[],
    transaction: Transaction,
  ): Promise<readonly RefusedRecipient[]>;
}
