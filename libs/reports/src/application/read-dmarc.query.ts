import { reportAddress, ReportedDomains, returnPathHost } from '#domains';
import type { Domain } from '#domains';
import { Clock, found, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { PolicyAdvice, policyAdvice } from '../domain/policy-advice.js';
import { lastDays, PublishedPolicy } from '../domain/report.js';
import { ReportedSender, senderOf } from '../domain/sender.js';
import { DmarcTotals, OwnAddresses, OwnMarks, ReportPeriod, ReportStatistics } from './ports/report-statistics.port.js';

export interface DmarcOverview {
  readonly domain: Domain;
  readonly record: { readonly host: string; readonly value: string };
  readonly failureAddress: string;
  readonly period: ReportPeriod;
  readonly totals: DmarcTotals;
  readonly published: { readonly policy: PublishedPolicy; readonly seenAt: Date } | undefined;
  readonly advice: readonly PolicyAdvice[];
  readonly senders: Page<ReportedSender>;
}

/** Sources that the advice looks at, those with the most messages. */
const maxJudged = 1_000;

/** Who sends mail as a domain, by what receivers report, and whether a stricter policy is safe. */
@Injectable()
export class ReadDmarc {
  constructor(
    private readonly domains: ReportedDomains,
    private readonly statistics: ReportStatistics,
    private readonly ownAddresses: OwnAddresses,
    private readonly clock: Clock,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async read(teamId: string, domainId: string, days: number, page: PageRequest): Promise<DmarcOverview> {
    const domain = found('Domain', await this.domains.find(teamId, domainId));
    const period = { domainId: domain.id, ...lastDays(days, this.clock.now()) };
    const marks = await this.marksOf(domain);
    const ours = await this.ownAddresses.of(domain.region);
    const [totals, published, judged, shown] = await Promise.all([
      this.statistics.dmarcTotals(period),
      this.statistics.lastPolicy(domain.id),
      this.statistics.sources(period, marks, { limit: maxJudged }),
      this.statistics.sources(period, marks, page),
    ]);
    const evidence = {
      senders: judged.items.map((counts) => senderOf(counts, ours)),
      messages: totals.messages,
      days: totals.days,
      reporters: totals.reporters.length,
    };
    return {
      domain,
      record: this.domains.recordOf('dmarc', domain),
      failureAddress: reportAddress('failure', domain),
      period,
      totals,
      published,
      advice: policyAdvice(evidence),
      senders: { ...shown, items: shown.items.map((counts) => senderOf(counts, ours)) },
    };
  }

  private async marksOf(domain: Domain): Promise<OwnMarks> {
    const selectors = await this.domains.selectorsOf(domain.id);
    return { domain: domain.name, selectors, returnPathHost: returnPathHost(domain) };
  }
}
