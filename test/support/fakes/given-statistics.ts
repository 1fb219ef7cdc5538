import { Page, PageRequest } from '#kernel';
import {
  DmarcTotals,
  OwnMarks,
  ReportPeriod,
  ReportStatistics,
  TlsResult,
  TlsTotals,
} from '../../../libs/reports/src/application/ports/report-statistics.port.js';
import { PublishedPolicy } from '../../../libs/reports/src/domain/report.js';
import { SourceCounts } from '../../../libs/reports/src/domain/sender.js';

/** What reports say, as a test gives it. */
export class GivenStatistics extends ReportStatistics {
  totals: DmarcTotals = { messages: 0, aligned: 0, quarantined: 0, rejected: 0, sources: 0, days: 0, reporters: [] };
  counts: readonly SourceCounts[] = [];
  policy: { readonly policy: PublishedPolicy; readonly seenAt: Date } | undefined;
  results: readonly TlsResult[] = [];
  asked: { readonly period: ReportPeriod; readonly marks?: OwnMarks; readonly page: PageRequest }[] = [];

  async dmarcTotals(): Promise<DmarcTotals> {
    return this.totals;
  }

  async sources(period: ReportPeriod, marks: OwnMarks, page: PageRequest): Promise<Page<SourceCounts>> {
    this.asked.push({ period, marks, page });
    return { items: this.counts, hasMore: false };
  }

  async lastPolicy(): Promise<{ readonly policy: PublishedPolicy; readonly seenAt: Date } | undefined> {
    return this.policy;
  }

  async tlsTotals(): Promise<TlsTotals> {
    return { succeeded: 1, failed: 0, reporters: 1 };
  }

  async tlsResults(period: ReportPeriod, page: PageRequest): Promise<Page<TlsResult>> {
    this.asked.push({ period, page });
    return { items: this.results, hasMore: false };
  }
}
