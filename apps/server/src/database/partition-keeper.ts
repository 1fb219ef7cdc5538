import { Clock } from '#kernel';
import { DailyPartitions } from '#platform/database';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { partitionDaysAhead, partitionedTables } from './partitioned-tables.js';

const minuteMs = 60_000;

/**
 * Makes the next days' partitions long before they are needed, however long the program runs. It looks at the calendar
 * every minute: a machine that slept for a week, or whose clock was set, is not to wait for an hour.
 */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private keptOn = '';

  constructor(
    private readonly partitions: DailyPartitions,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.keep(), minuteMs);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async keep(): Promise<void> {
    const today = this.clock.now().toISOString().slice(0, 10);
    if (today === this.keptOn) return;
    try {
      await this.partitions.ensure(partitionedTables, this.clock.now(), partitionDaysAhead);
      this.keptOn = today;
    } catch (error) {
      this.logger.error({ error }, 'partitions for the coming days could not be made; trying again in a minute');
    }
  }
}
