import { Metric } from './metric.js';

export const granularities = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export type Granularity = (typeof granularities)[number];

export const dimensions = ['period', 'domain', 'email', 'broadcast'] as const;
export type Dimension = (typeof dimensions)[number];

export interface MetricsRequest {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  /** IANA name. */
  readonly timeZone: string;
  readonly granularity: Granularity;
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  /** Undefined: of all. */
  readonly domainIds: readonly string[] | undefined;
  readonly emailIds: readonly string[] | undefined;
  readonly broadcastIds: readonly string[] | undefined;
}

const day = 86_400_000;
export const defaultRangeMs = 6 * day;

/** How long counters are kept; what is asked of before is answered from here on. */
export const retentionMs = 400 * day;

/** Rows of an answer, and periods of its range, at most. */
export const maxRows = 10_000;
