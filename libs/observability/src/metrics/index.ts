export { GroupCommitMetrics, Metrics, MetricsModule } from './metrics.js';
export { countsOf, sumOf } from './metrics-of-processes.js';
export type { MetricValues, ProcessMetrics } from './metrics-of-processes.js';
