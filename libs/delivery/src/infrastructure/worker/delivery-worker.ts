import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import { LaneRunner } from './lane-runner.js';
import { LaneSweep } from './lane-sweep.js';
import { WorkerIdentity } from './worker-identity.js';

const beatMs = 2_000;
/** Five missed beats: a worker that pauses for a second is not declared dead, and a dead one is not waited for long. */
const deadAfterMs = 10_000;
const sweepMs = 1_000;

/**
 * Keeps the worker alive in the eyes of the others, returns what dead ones held, and finds work that nobody was woken
 * for: retries that have come due, and mail whose wake-up was lost.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private beats: NodeJS.Timeout | undefined;
  private sweeps: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private stopped = false;
  private readonly laneSweep: LaneSweep;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lanes: LaneRunner,
    private readonly transport: DeliveryTransport,
    private readonly worker: WorkerIdentity,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    this.laneSweep = new LaneSweep(queue, worker.id, (lane, teamId) => lanes.wake(lane, teamId));
  }

  async onApplicationBootstrap(): Promise<void> {
    // On the embedded database this process is alone: whoever is named there is dead, however recent the last beat.
    if (this.config.values.databaseUrl === undefined) await this.queue.forgetOtherWorkers(this.worker.id);
    await this.queue.beat(this.worker.id);
    this.beats = setInterval(() => void this.beat(), beatMs);
    this.sweeps = setInterval(() => this.sweep(), sweepMs);
    this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.sweeps);
    await this.sweeping;
    // The beats go on until everything has ended: to the others this worker is alive as long as it delivers.
    const ended = await this.lanes.stop(this.config.values.shutdownSeconds * 1_000, () => this.transport.withdraw());
    clearInterval(this.beats);
    if (!ended) this.logger.warn({}, 'stopping with deliveries under way; their outcome will be on record as unknown');
    await this.queue.retire(this.worker.id);
    if (ended) await this.transport.close();
  }

  private async beat(): Promise<void> {
    try {
      await this.queue.beat(this.worker.id);
    } catch (error) {
      this.logger.warn({ error }, 'the heartbeat of this worker could not be written');
    }
  }

  private sweep(): void {
    if (this.sweeping !== undefined || this.stopped) return;
    this.sweeping = this.sweepOnce()
      .catch((error: unknown) => this.logger.warn({ error }, 'looking for work failed'))
      .finally(() => (this.sweeping = undefined));
  }

  private async sweepOnce(): Promise<void> {
    const returned = await this.queue.forgetDeadWorkers(this.worker.id, deadAfterMs);
    if (returned > 0) this.logger.info({ recipients: returned }, 'recipients of a dead worker returned to the queue');
    await this.lanes.abandonFailed();
    await this.laneSweep.run();
  }
}
