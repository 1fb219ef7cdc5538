import { ReportedDomains } from '#domains';
import type { Domain } from '#domains';
import { Clock, found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { lastDays } from '../domain/report.js';
import { ReportPeriod, ReportStatistics, TlsResult, TlsTotals } from './ports/report-statistics.port.js';

export interface TlsOverview {
  readonly domain: Domain;
  readonly record: { readonly host: string; readonly value: string };
  readonly period: ReportPeriod;
  readonly totals: TlsTotals;
  readonly results: Page<TlsResult>;
}

/** How well other servers could encrypt their mail to a domain, by what they report. */
@Injectable()
export class ReadTlsReports {
  constructor(
    private readonly domains: ReportedDomains,
    private readonly statistics: ReportStatistics,
    private readonly clock: Clock,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async read(teamId: string, domainId: string, days: number, page: PageRequest): Promise<TlsOverview> {
    const domain = found('Domain', await this.domains.find(teamId, domainId));
    const period = { domainId: domain.id, ...lastDays(days, this.clock.now()) };
    const [totals, results] = await Promise.all([
      this.statistics.tlsTotals(period),
      this.statistics.tlsResults(period, page),
    ]);
    return { domain, record: this.domains.recordOf('tls', domain), period, totals, results };
  }
}
