import { MailReport } from '../../domain/mail-report.js';

/** Reads messages as reports. Pure; never throws for anything that stands in the message. */
export abstract class ReportReader {
  abstract read(content: Uint8Array): MailReport;

  /** Return paths that stand in a message, wherever, each once, at most `limit`: in the headers of what is reported, for one. */
  abstract returnPathsIn(content: Uint8Array, limit: number): readonly string[];
}
