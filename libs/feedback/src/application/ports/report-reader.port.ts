import { MailReport } from '../../domain/mail-report.js';

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
