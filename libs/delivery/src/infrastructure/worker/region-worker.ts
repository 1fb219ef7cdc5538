import { Clock } from '#kernel';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { KeepRegions } from '../../application/keep-regions.use-case.js';
import { WorkerPresence } from '../../application/ports/delivery-queue.port.js';

const everyMs = 2_000;

/** Every worker looks after the regions: what one of them does changes nothing for the others. */
@Injectable()
export class RegionWorker implements OnApplicationBootstrap {
  constructor(
    private readonly timers: Timers,
    private readonly regions: KeepRegions,
    private readonly presence: WorkerPresence,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'looking after the regions', async () => {
      for (const { region, standIn } of await this.regions.standIn(this.presence.steadyForMs)) {
        if (standIn === null) this.logger.info({ region }, 'a region sends the mail of its domains itself again');
        else this.logger.warn({ region, standIn }, 'a region has no worker: another one sends the mail of its domains');
      }
      await this.regions.moveWaiting(this.clock.now());
    });
  }
}
