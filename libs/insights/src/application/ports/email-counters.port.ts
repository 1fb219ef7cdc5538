import { Counts } from '../../domain/metric.js';
import { MetricsRequest } from '../../domain/metrics-request.js';

/** Counts of one combination of the requested dimensions; absent are the dimensions that were not requested. */
export interface CountedRow {
  /** As `periodsBetween` names it. */
  readonly period?: string;
  readonly domainId?: string;
  /** Null where the domain no longer exists. */
  readonly domainName?: string | null;
  readonly emailId?: string;
  readonly counts: Counts;
}

export interface CountedEvents {
  readonly totals: Counts;
  /** Only combinations of which something happened, periods in order; one more than `limit` where there are more. */
  readonly rows: readonly CountedRow[];
}

/** What happened to a team's email, counted. */
export abstract class EmailCounters {
  /** The beginning of the range is rounded down to a quarter of an hour. Throws `UnknownTimeZoneError`. */
  abstract read(teamId: string, request: MetricsRequest, limit: number): Promise<CountedEvents>;

  /** Joins what writers counted apart, and forgets what is older than `forgetBefore`; at most some thousand rows. */
  abstract tidy(joinBefore: Date, forgetBefore: Date): Promise<void>;
}
