import { AggregatorRegistry, Registry } from 'prom-client';

/**
 * One metric with its current values. Plain data, which can be sent to another process over a channel that supports
 * NaN.
 */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The metrics of one process, including those of earlier processes that it replaced. */
export interface ProcessMetrics {
  /** Resources of the process: memory, event loop, connections. Empty if it does not respond. */
  readonly ofProcess: readonly MetricValues[];
  /** Counters and values of the service. */
  readonly ofService: readonly MetricValues[];
}

/**
 * The metrics of several processes as one service: counters are summed, values that all processes see appear once, and
 * metrics of a single process have the label `process`.
 */
export function togetherAsText(processes: ReadonlyMap<string, ProcessMetrics>): Promise<string> {
  const labelled = [...processes].map(([name, { ofProcess }]) => ofProcess.map((metric) => labelledWith(name, metric)));
  const summed = [...processes.values()].map(({ ofService }) => ofService);
  return AggregatorRegistry.aggregate([...summed, ...labelled]).metrics();
}

/**
 * The metrics to keep of a process that has ended. Without them sums would decrease, which Prometheus reads as a
 * restart.
 */
export function countsOf(metrics: readonly MetricValues[]): readonly MetricValues[] {
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

export function sumOf(one: readonly MetricValues[], other: readonly MetricValues[]): readonly MetricValues[] {
  return AggregatorRegistry.aggregate([one, other]).getMetricsAsArray() as MetricValues[];
}

function labelledWith(process: string, metric: MetricValues): MetricValues {
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
  // Each process has its own series, so the sum is the value itself.
  return { ...metric, aggregator: 'sum', values };
}
