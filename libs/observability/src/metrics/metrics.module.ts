import { Global, Module } from '@nestjs/common';
import { GroupCommitMetrics } from './group-commit-metrics.js';
import { Metrics } from './metrics.js';

@Global()
@Module({ providers: [Metrics, GroupCommitMetrics], exports: [Metrics, GroupCommitMetrics] })
export class MetricsModule {}
