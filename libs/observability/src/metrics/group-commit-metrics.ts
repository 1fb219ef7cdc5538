import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Metrics } from './metrics.js';

/** Number of items per transaction, by writer. */
@Injectable()
export class GroupCommitMetrics {
  private readonly size: Histogram<'writer'>;

  constructor(metrics: Metrics) {
    const buckets = [1, 2, 4, 8, 16, 32, 64, 128, 256];
    this.size = metrics.histogram('postrider_group_commit_batch_size', 'Items of one transaction', buckets, ['writer']);
  }

  observe(writer: 'acceptance' | 'outcomes', items: number): void {
    this.size.observe({ writer }, items);
  }
}
