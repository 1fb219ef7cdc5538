import { Injectable } from '@nestjs/common';
import { ReportPeriod, ReportStatistics } from './ports/report-statistics.port.js';

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
