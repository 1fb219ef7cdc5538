import { ReadDomains } from '#domains';
import type { Domain } from '#domains';
import { Clock, found } from '#kernel';
import { ReadProviderReports } from '#provider-reports';
import type { GoogleReport } from '#provider-reports';
import { lastDays, ReportSummaries } from '#reports';
import type { ReportSummary } from '#reports';
import { Injectable } from '@nestjs/common';
import { DomainScore, scoreOf } from '../domain/domain-score.js';
import { otherSites, testProvider } from '../domain/mailbox-provider.js';
import { DayCount, OutcomeFigures, OutcomeSummary, summaryOf } from '../domain/provider-summary.js';
import { DomainListings, Listings } from './ports/domain-listings.port.js';
import { CountsOfDomain, ProviderCounters } from './ports/provider-counters.port.js';

export interface OutcomesOfDay extends OutcomeFigures {
  readonly day: string;
}

export interface ProviderInsights {
  readonly provider: string;
  readonly summary: OutcomeSummary;
  /** Days on which something happened, oldest first. */
  readonly days: readonly OutcomesOfDay[];
}

export interface DomainInsightsOverview {
  readonly domain: Domain;
  readonly period: { readonly from: string; readonly to: string };
  readonly score: DomainScore | undefined;
  readonly total: OutcomeSummary;
  readonly days: readonly OutcomesOfDay[];
  /** Those with most mail first. */
  readonly providers: readonly ProviderInsights[];
  readonly reports: ReportSummary;
  /** Undefined if no blocklist is asked. */
  readonly listings: Listings | undefined;
  /** Undefined if Google is not asked. */
  readonly google: GoogleReport | undefined;
}

/** Providers that an answer names. Further ones are added up as `others`. */
const maxProviders = 20;

/** What became of the mail of a domain, by mailbox provider and day, with a score that is the sum of its parts. */
@Injectable()
export class DomainInsights {
  constructor(
    private readonly domains: ReadDomains,
    private readonly counters: ProviderCounters,
    private readonly reports: ReportSummaries,
    private readonly listings: DomainListings,
    private readonly providerReports: ReadProviderReports,
    private readonly clock: Clock,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async of(teamId: string, domainId: string, days: number): Promise<DomainInsightsOverview> {
    const { domain, records } = found('Domain', await this.domains.diagnose(teamId, domainId));
    const period = lastDays(days, this.clock.now());
    const [all, reports, listings, google] = await Promise.all([
      this.counters.read(domain.id, period.from, period.to),
      this.reports.of({ domainId: domain.id, ...period }),
      this.listings.of(domain),
      this.providerReports.ofDomain(domain.id, period.from, period.to),
    ]);
    const counts = withoutTests(all);
    const total = summaryOf(counts.kinds);
    return {
      domain,
      period,
      total,
      reports,
      listings,
      google,
      score: scoreOf({
        summary: total,
        records: domain.sandbox
          ? []
          : records.map(({ view }) => ({ kind: view.record, isFound: view.status === 'verified' })),
        dmarc: reports.dmarc,
      }),
      days: byDay(counts.days),
      providers: byProvider(counts),
    };
  }
}

function withoutTests({ kinds, days }: CountsOfDomain): CountsOfDomain {
  const isReal = ({ provider }: { readonly provider: string }): boolean => provider !== testProvider;
  return { kinds: kinds.filter(isReal), days: days.filter(isReal) };
}

function byProvider({ kinds, days }: CountsOfDomain): ProviderInsights[] {
  const sizes = new Map<string, number>();
  for (const { provider, kind, count } of kinds) {
    if (isOutcome(kind)) sizes.set(provider, (sizes.get(provider) ?? 0) + count);
  }
  const largest = [...sizes]
    .filter(([provider]) => provider !== otherSites)
    .sort(([a, sizeOfA], [b, sizeOfB]) => sizeOfB - sizeOfA || (a < b ? -1 : 1))
    .slice(0, maxProviders)
    .map(([provider]) => provider);
  const named = new Set(largest);
  const placeOf = (provider: string): string => (named.has(provider) ? provider : otherSites);
  const kindsOf = grouped(kinds, placeOf);
  const daysOf = grouped(days, placeOf);
  return [...largest, ...(kindsOf.has(otherSites) ? [otherSites] : [])].map((provider) => ({
    provider,
    summary: summaryOf(kindsOf.get(provider) ?? [], provider),
    days: byDay(daysOf.get(provider) ?? []),
  }));
}

/** Adds up the providers of each day. Days come in their order. */
function byDay(counts: readonly DayCount[]): OutcomesOfDay[] {
  const days = new Map<string, OutcomesOfDay>();
  for (const { provider: _provider, ...of } of counts) {
    const sum = days.get(of.day);
    days.set(
      of.day,
      sum === undefined
        ? of
        : {
            day: of.day,
            delivered: sum.delivered + of.delivered,
            deferred: sum.deferred + of.deferred,
            bounced: sum.bounced + of.bounced,
            complained: sum.complained + of.complained,
            opened: sum.opened + of.opened,
            unsubscribed: sum.unsubscribed + of.unsubscribed,
          },
    );
  }
  return [...days.values()];
}

function grouped<Count extends { readonly provider: string }>(
  counts: readonly Count[],
  placeOf: (provider: string) => string,
): Map<string, Count[]> {
  const groups = new Map<string, Count[]>();
  for (const count of counts) {
    const place = placeOf(count.provider);
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [count]);
    else group.push(count);
  }
  return groups;
}

const isOutcome = (kind: string): boolean =>
  kind === 'delivered' || kind.startsWith('bounced/') || kind.startsWith('deferred/');
