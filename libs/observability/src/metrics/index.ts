export { GroupCommitMetrics } from './group-commit-metrics.js';
export { Metrics } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
export { countsOf, sumOf } from './metrics-of-processes.js';
export type { MetricValues, ProcessMetrics } from './metrics-of-processes.js';
