import { Injectable } from '@nestjs/common';
import { ReportedDomains, type ReportKind } from '#domains';
import { found, Page, PageRequest } from '#kernel';
import { LoggedReport, ReportLog } from './ports/report-log.port.js';
import { ReportPeriod, ReportStatistics } from './ports/report-statistics.port.js';

/** Lists the reports that came for a domain. */
@Injectable()
export class ListReports {
  constructor(
    private readonly domains: ReportedDomains,
    private readonly log: ReportLog,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async list(
    teamId: string,
    domainId: string,
    page: PageRequest,
    kind: ReportKind | undefined,
  ): Promise<Page<LoggedReport>> {
    const { id } = found('Domain', await this.domains.find(teamId, domainId));
    return this.log.list(id, page, kind);
  }
}

export interface ReportSummary {
  readonly dmarc: { readonly messages: number; readonly aligned: number; readonly reporters: number };
  readonly tls: { readonly succeeded: number; readonly failed: number; readonly reporters: number };
}

/** What reports say about a domain, in a few figures, for pages that show them beside others. */
@Injectable()
export class ReportSummaries {
  constructor(private readonly statistics: ReportStatistics) {}

  async of(period: ReportPeriod): Promise<ReportSummary> {
    const [dmarc, tls] = await Promise.all([this.statistics.dmarcTotals(period), this.statistics.tlsTotals(period)]);
    return {
      dmarc: { messages: dmarc.messages, aligned: dmarc.aligned, reporters: dmarc.reporters.length },
      tls,
    };
  }
}
