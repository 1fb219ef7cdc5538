import { Page, PageRequest } from '#kernel';
import { PublishedPolicy } from '../../domain/report.js';
import { SourceCounts } from '../../domain/sender.js';

/** Days of a domain: from the first, up to but not including `to`, both `yyyy-mm-dd`. */
export interface ReportPeriod {
  readonly domainId: string;
  readonly from: string;
  readonly to: string;
}

/** How mail of ours is recognised in reports. */
export interface OwnMarks {
  readonly domain: string;
  /** Selectors of the domain's keys. */
  readonly selectors: readonly string[];
  readonly returnPathHost: string;
}

export interface DmarcTotals {
  readonly messages: number;
  readonly aligned: number;
  readonly quarantined: number;
  readonly rejected: number;
  readonly sources: number;
  /** Days with reports. */
  readonly days: number;
  readonly reporters: readonly ReporterTotals[];
}

export interface ReporterTotals {
  readonly reporter: string;
  readonly messages: number;
  readonly lastDay: string;
}

export interface TlsTotals {
  readonly succeeded: number;
  readonly failed: number;
  readonly reporters: number;
}

/** Sessions with one result at one mail host. */
export interface TlsResult {
  /** Identifies the result in this list. */
  readonly id: string;
  readonly policyType: string;
  readonly policyDomain: string;
  readonly result: string;
  readonly mx: string | null;
  readonly sessions: number;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Reasons that reporters give, a few of them. */
  readonly reasons: readonly string[];
  readonly reporters: number;
}

/** What counted reports say. Each call reads the rows of one domain and period, which are limited for each day. */
export abstract class ReportStatistics {
  abstract dmarcTotals(period: ReportPeriod): Promise<DmarcTotals>;

  /** Most messages first. A cursor is the `source` of an item. */
  abstract sources(period: ReportPeriod, marks: OwnMarks, page: PageRequest): Promise<Page<SourceCounts>>;

  /** The policy as a proven reporter found it last. */
  abstract lastPolicy(
    domainId: string,
  ): Promise<{ readonly policy: PublishedPolicy; readonly seenAt: Date } | undefined>;

  abstract tlsTotals(period: ReportPeriod): Promise<TlsTotals>;

  /** Most sessions first. A cursor is the `id` of an item. */
  abstract tlsResults(period: ReportPeriod, page: PageRequest): Promise<Page<TlsResult>>;
}

/** The addresses from which this service sends mail. */
export abstract class OwnAddresses {
  /** Never throws: without an answer of the DNS, the addresses are those that the configuration names. */
  abstract of(region: string): Promise<ReadonlySet<string>>;
}
