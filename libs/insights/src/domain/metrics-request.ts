import { ValidationError } from '#kernel';
import { Metric } from './metric.js';

export const granularities = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export type Granularity = (typeof granularities)[number];

export const dimensions = ['period', 'domain', 'email', 'broadcast'] as const;
export const broadcastDimensions = ['period', 'broadcast'] as const satisfies readonly (typeof dimensions)[number][];
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
  /** Undefined: all domains. */
  readonly domainIds: readonly string[] | undefined;
  readonly emailIds: readonly string[] | undefined;
  readonly broadcastIds: readonly string[] | undefined;
  /** Only what belongs to broadcasts. */
  readonly onlyBroadcasts?: true;
}

const day = 86_400_000;
export const defaultRangeMs = 6 * day;

/** How long counters are kept. A range that starts earlier is shortened to this. */
export const retentionMs = 400 * day;

/** Maximum number of rows in a response, and of periods in its range, with one metric or two. */
export const maxRows = 10_000;
/**
 * Maximum number of rows times metrics: 1,000 rows with all of them, which is 40 days by the hour. A response has 400
 * KB.
 */
export const maxFigures = 22_000;

/** Maximum number of rows and periods with these metrics. */
export function maxRowsOf({ metrics: chosen }: Pick<MetricsRequest, 'metrics'>): number {
  return Math.min(maxRows, Math.floor(maxFigures / chosen.length));
}

export class UnknownTimeZoneError extends ValidationError {
  constructor() {
    super('The `timezone` must be an IANA time zone such as `America/New_York`.');
  }
}

export class TooManyPeriodsError extends ValidationError {
  constructor(maxPeriods: number) {
    super(
      `The date range has more than ${maxPeriods} periods of this \`granularity\`. ` +
        'Use a shorter date range, a coarser granularity or fewer metrics.',
    );
  }
}

export class TooManyRowsError extends ValidationError {
  constructor(maxRows: number) {
    super(
      `The response would have more than ${maxRows} rows. Use a shorter date range, fewer domains or fewer metrics.`,
    );
  }
}
