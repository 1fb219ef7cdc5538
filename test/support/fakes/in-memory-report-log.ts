import type { ReportKind } from '#domains';
import { Page, pageOf, PageRequest } from '#kernel';
import { LoggedReport, NewReport, ReportLog } from '../../../libs/reports/src/application/ports/report-log.port.js';

/** The reports of one process, for tests. It counts nothing. */
export class InMemoryReportLog extends ReportLog {
  readonly added: NewReport[] = [];
  isFull = false;

  async add(report: NewReport): Promise<'added' | 'known' | 'too_many'> {
    const isSame = ({ domainId, reporter, report: { kind, reportId } }: NewReport): boolean =>
      domainId === report.domainId &&
      reporter === report.reporter &&
      kind === report.report.kind &&
      reportId === report.report.reportId;
    if (this.added.some(isSame)) return 'known';
    if (this.isFull) return 'too_many';
    this.added.push(report);
    return 'added';
  }

  async list(domainId: string, page: PageRequest, kind: ReportKind | undefined): Promise<Page<LoggedReport>> {
    const own = this.added.filter(
      (each) => each.domainId === domainId && (kind ?? each.report.kind) === each.report.kind,
    );
    return pageOf(page, own.map(logged).reverse());
  }
}

function logged({ id, reporter, receivedAt, report }: NewReport): LoggedReport {
  const { kind, organization, reportId, beginsAt, endsAt } = report;
  return {
    id,
    kind,
    reporter,
    organization,
    reportId,
    beginsAt,
    endsAt,
    receivedAt,
    total: 0,
    unusable: 0,
    failure: null,
  };
}
