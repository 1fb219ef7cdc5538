import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { ReadMailReport, MailReportReader } from '../application/ports/reports.port.js';
import { reportParser } from './report.parser.js';

/** Reads long reports in a parser thread. Most reports are short and are read on the main thread. */
@Injectable()
export class ThreadedMailReportReader extends MailReportReader {
  constructor(private readonly parsers: ParserThreads) {
    super();
  }

  async read(content: Uint8Array, owner: string, maxReturnPaths: number): Promise<ReadMailReport> {
    try {
      return await this.parsers.run(reportParser, { owner, bytes: content, options: { maxReturnPaths } });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return { report: { kind: 'unknown', reporter: 'unknown' }, returnPaths: [] };
    }
  }
}
