import { Clock } from '#kernel';
import { DailyPartitions } from '#platform/database';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { partitionDaysAhead, partitionedTables } from './partitioned-tables.js';

const hourMs = 3_600_000;

/** Makes the next days' partitions long before they are needed, however long the program runs. */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly partitions: DailyPartitions,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.keep(), hourMs);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async keep(): Promise<void> {
    try {
      await this.partitions.ensure(partitionedTables, this.clock.now(), partitionDaysAhead);
    } catch (error) {
      this.logger.error({ error }, 'partitions for the coming days could not be made; trying again in an hour');
    }
  }
}
