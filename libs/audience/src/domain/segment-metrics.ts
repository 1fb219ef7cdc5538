import { ValidationError } from '#kernel';

export const segmentMetrics = ['all_contacts', 'subscribers', 'unsubscribers'] as const;
export type SegmentMetric = (typeof segmentMetrics)[number];

export interface SegmentMetricsRequest {
  readonly metrics: readonly SegmentMetric[];
  readonly bySegment: boolean;
  /** Undefined: all segments. */
  readonly segmentIds: readonly string[] | undefined;
  readonly sortBy: SegmentMetric;
  readonly sortOrder: 'asc' | 'desc';
}

/** Segments with filters of one request. Each is evaluated over all contacts. */
export const maxFilteredSegments = 20;

export class TooManyFilteredSegmentsError extends ValidationError {
  constructor() {
    super(
      `Your team has more than ${maxFilteredSegments} segments with a filter. Please choose some by \`segment_id\`.`,
    );
  }
}

/** The chosen metrics, in their order. */
export function metricsOfCount(
  { contacts, subscribed }: { readonly contacts: number; readonly subscribed: number },
  metrics: readonly SegmentMetric[],
): Record<string, number> {
  const all: Record<SegmentMetric, number> = {
    all_contacts: contacts,
    subscribers: subscribed,
    unsubscribers: contacts - subscribed,
  };
  return Object.fromEntries(metrics.map((metric) => [metric, all[metric]]));
}
