export { GroupCommitMetrics } from './group-commit-metrics.js';
export { Metrics } from './metrics.js';
export { MetricsModule } from './metrics.module.js';
