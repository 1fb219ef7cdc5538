import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { ReadReport, ReportReader } from '../application/ports/report-log.port.js';
import { reportParser, ReportQuestion } from './parsing/report.parser.js';

@Injectable()
export class ThreadedReportReader extends ReportReader {
  constructor(private readonly parsers: ParserThreads) {
    super();
  }

  async read(content: Uint8Array, question: ReportQuestion, owners: readonly string[]): Promise<ReadReport> {
    try {
      return await this.parsers.run(reportParser, { owner: owners, bytes: content, options: question });
    } catch (error) {
      if (error instanceof UnreadableError) return { unreadable: 'The report takes too much time or memory to read' };
      throw error;
    }
  }
}
