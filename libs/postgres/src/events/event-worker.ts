import { Database } from '#postgres/database';
import { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { EventConsumer, EventConsumerOptions, LoggedEvent } from './event-consumer.js';
import { WorkSearch } from './work-search.js';

const pauseMs = 1_000;
/** Steps of one turn, so that a stop does not wait for a long backlog. */
const maxSteps = 50;

export interface EventWorkerOptions<Event extends LoggedEvent> extends EventConsumerOptions<Event> {
  /** What it does, for the log: `marking contacts that bounced`. */
  readonly task: string;
}

/**
 * Follows an event log for as long as the program runs. Every worker process runs it, and the lease of the consumer
 * lets one of them read: after that one has died another continues within the time of the lease, and after it has
 * stopped, at once.
 *
 * A worker of a feature extends it and names its consumer:
 *
 *     @Injectable()
 *     export class BroadcastResultsConsumer extends EventWorker<LoggedEmailEvent> {
 *       constructor(database: Database, search: WorkSearch) {
 *         super(database, search, { name: 'broadcast-progress', task: 'counting the results of broadcasts', … });
 *       }
 *     }
 */
export abstract class EventWorker<Event extends LoggedEvent>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly consumer: EventConsumer<Event>;

  protected constructor(
    database: Database,
    private readonly search: WorkSearch,
    private readonly options: EventWorkerOptions<Event>,
  ) {
    this.consumer = new EventConsumer(database, options);
  }

  onApplicationBootstrap(): void {
    this.search.every(pauseMs, this.options.task, this.consumer.found, () => this.follow());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.release().catch(() => undefined);
  }

  private async follow(): Promise<void> {
    for (let step = 0; step < maxSteps; step++) {
      await this.consumer.step();
      if (!this.consumer.hasMore) return;
    }
  }
}
