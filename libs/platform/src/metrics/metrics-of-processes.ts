import { AggregatorRegistry, Registry } from 'prom-client';

/** One metric with its values at a moment. Plain data, fit for a channel between processes that keeps NaN. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** What a process, or the processes that ran one after the other in its place, has to show. */
export interface ProcessMetrics {
  /** What the process uses of its own: memory, event loop, connections. Empty where it does not answer. */
  readonly ofProcess: readonly MetricValues[];
  /** What was counted and seen of the service. */
  readonly ofService: readonly MetricValues[];
}

/**
 * Processes as one service: what they count is summed, what they all see is told once, and what each uses has the label
 * `process`.
 */
export function togetherAsText(processes: ReadonlyMap<string, ProcessMetrics>): Promise<string> {
  const labelled = [...processes].map(([name, { ofProcess }]) => ofProcess.map((metric) => labelledWith(name, metric)));
  const summed = [...processes.values()].map(({ ofService }) => ofService);
  return AggregatorRegistry.aggregate([...summed, ...labelled]).metrics();
}

/** What stays of a process that is gone. Without it sums would fall, and Prometheus take that for a new beginning. */
export function countsOf(metrics: readonly MetricValues[]): readonly MetricValues[] {
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

export function sumOf(one: readonly MetricValues[], other: readonly MetricValues[]): readonly MetricValues[] {
  return AggregatorRegistry.aggregate([one, other]).getMetricsAsArray() as MetricValues[];
}

function labelledWith(process: string, metric: MetricValues): MetricValues {
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
  // No two processes share a series: there is nothing to average or to leave out.
  return { ...metric, aggregator: 'sum', values };
}
