import { MailReport } from '../../domain/mail-report.js';

export interface ReadReport {
  readonly report: MailReport;
  /**
   * Return paths that stand in the message, wherever, each once: in the headers of what is reported, for one. None unless
   * they were asked for.
   */
  readonly returnPaths: readonly string[];
}

/**
 * Reads messages of strangers as reports. Never throws for anything that stands in the message: what is no report, or takes
 * too long to read, is of kind `unknown`. A DomainError of kind `unavailable` says that too much is waiting to be read.
 */
export abstract class ReportReader {
  /** `owner` is to whom the work is charged. At most `maxReturnPaths` are looked for. */
  abstract read(content: Uint8Array, owner: string, maxReturnPaths: number): Promise<ReadReport>;
}
