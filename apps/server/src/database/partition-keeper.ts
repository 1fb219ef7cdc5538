import { Clock } from '#kernel';
import { DailyPartitions } from '#postgres/database';
import { Metrics } from '#observability/metrics';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { partitionDaysAhead, partitionedTables } from './schemas.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Creates the partitions of the next days long before they are needed, as long as the program runs. It checks the date
 * every minute, so that a machine that slept for a week, or whose clock was set, gets its partitions soon.
 */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap {
  private keptOn = '';
  private readonly madeUntil: Gauge;

  constructor(
    private readonly partitions: DailyPartitions,
    private readonly clock: Clock,
    private readonly timers: Timers,
    metrics: Metrics,
  ) {
    this.madeUntil = metrics.gauge(
      'postrider_partitions_made_until_timestamp_seconds',
      'End of the last day that has its partitions',
    );
  }

  onApplicationBootstrap(): void {
    // The migration has just created them.
    this.noteMade();
    this.timers.every(minuteMs, 'making the partitions of the coming days', () => this.keep());
  }

  private async keep(): Promise<void> {
    const today = this.clock.now().toISOString().slice(0, 10);
    if (today === this.keptOn) return;
    await this.partitions.ensure(partitionedTables, this.clock.now(), partitionDaysAhead);
    this.keptOn = today;
    this.noteMade();
  }

  private noteMade(): void {
    const today = Math.floor(this.clock.now().getTime() / dayMs) * dayMs;
    this.madeUntil.set((today + (partitionDaysAhead + 1) * dayMs) / 1_000);
  }
}
