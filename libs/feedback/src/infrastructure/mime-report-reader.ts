import { readReport } from '#mime';
import { Injectable } from '@nestjs/common';
import { ReportReader } from '../application/ports/report-reader.port.js';
import { MailReport } from '../domain/mail-report.js';

/** As `ReturnPaths` makes them. Whether one is ours its signature says. */
const returnPath = /bounces\+[a-z2-7]{45}@[a-z0-9.-]{1,253}/gi;

@Injectable()
export class MimeReportReader extends ReportReader {
  read(content: Uint8Array): MailReport {
    return readReport(content);
  }

  returnPathsIn(content: Uint8Array, limit: number): readonly string[] {
    const found = new Set<string>();
    // Quoted-printable breaks long lines anywhere.
    for (const [path] of Buffer.from(content)
      .toString('latin1')
      .replace(/=\r?\n/g, '')
      .matchAll(returnPath)) {
      found.add(path.toLowerCase());
      if (found.size === limit) break;
    }
    return [...found];
  }
}
