import { Counts } from '../../domain/metric.js';
import { MetricsRequest } from '../../domain/metrics-request.js';

/** Counts of one combination of the requested dimensions. The fields of other dimensions are absent. */
export interface CountedRow {
  /** The name that `periodsBetween` gives it. */
  readonly period?: string;
  readonly domainId?: string;
  /** Null if the domain no longer exists. */
  readonly domainName?: string | null;
  readonly emailId?: string;
  readonly broadcastId?: string;
  /** Its subject if it has no name. Null if the broadcast no longer exists. */
  readonly broadcastName?: string | null;
  readonly counts: Counts;
}

export interface CountedEvents {
  readonly totals: Counts;
  /** Only combinations with events, periods in order. One more than `limit` if there are more. */
  readonly rows: readonly CountedRow[];
}

/** Counts of the events of a team's emails. */
export abstract class EmailCounters {
  /** Rounds the start of the range down to a quarter of an hour. Throws `UnknownTimeZoneError`. */
  abstract read(teamId: string, request: MetricsRequest, limit: number): Promise<CountedEvents>;

  /** Merges the shards older than `mergeBefore` and deletes counters older than `deleteBefore`: up to 5,000 rows each. */
  abstract compact(mergeBefore: Date, deleteBefore: Date): Promise<void>;
}
