import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import { LaneRunner } from './lane-runner.js';
import { LaneSweep } from './lane-sweep.js';
import { signsOfDeath } from './signs-of-death.js';
import { WorkerIdentity } from '../../application/worker-identity.js';
import { WorkerPresence } from '../../application/ports/worker-presence.port.js';

const heartbeatMs = 2_000;
/** A failed heartbeat is repeated sooner: after an outage the other workers wait for it. */
const heartbeatRetryMs = 250;
const sweepMs = 1_000;

/**
 * Sends the heartbeats of this worker, returns the recipients of dead workers to the queue, and finds work without a
 * wake-up: retries that have become due, and mail whose wake-up was lost.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private heartbeats: NodeJS.Timeout | undefined;
  private sweeps: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private stopped = false;
  private retired = false;
  private readonly laneSweep: LaneSweep;

  // eslint-disable-next-line max-params -- One story: the order of a stop ties heartbeats, sweeps and lanes together.
  constructor(
    private readonly queue: DeliveryQueue,
    private readonly presence: WorkerPresence,
    private readonly lanes: LaneRunner,
    private readonly transport: DeliveryTransport,
    private readonly worker: WorkerIdentity,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    this.laneSweep = new LaneSweep(queue, worker.id, (lane, teamId) => lanes.wake(lane, teamId));
  }

  async onApplicationBootstrap(): Promise<void> {
    // On the embedded database this process is alone: every worker recorded there is dead, however recent its
    // heartbeat.
    if (this.config.values.databaseUrl === undefined) await this.queue.forgetOtherWorkers(this.worker.id);
    await this.presence.heartbeat();
    this.scheduleHeartbeat(heartbeatMs);
    // eslint-disable-next-line no-restricted-globals -- Ends before the lanes are stopped, and heartbeats go on after it.
    this.sweeps = setInterval(() => this.sweep(), sweepMs);
    this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.sweeps);
    await this.sweeping;
    // The heartbeats go on until all deliveries have ended: for the other workers this one is alive while it delivers.
    const ended = await this.lanes.stop(this.config.values.shutdownSeconds * 1_000, () => this.transport.withdraw());
    if (!ended) this.logger.warn({}, 'stopping with deliveries under way; their outcome will be on record as unknown');
    await this.retire();
    if (ended) await this.transport.close();
  }

  /** If the database is away, held recipients return once this worker's heartbeat is too old. */
  private async retire(): Promise<void> {
    this.retired = true;
    clearTimeout(this.heartbeats);
    try {
      await this.queue.retire(this.worker.id);
    } catch (error) {
      this.logger.warn({ error }, 'stopping while the database is away; outcomes that it has not taken are unknown');
    }
    this.presence.end();
  }

  private scheduleHeartbeat(afterMs: number): void {
    this.heartbeats = setTimeout(() => void this.heartbeat(), afterMs);
  }

  private async heartbeat(): Promise<void> {
    const wasSteady = this.presence.steadyForMs > 0;
    const afterMs = await this.presence.heartbeat().then(
      () => heartbeatMs,
      (error: unknown) => {
        if (wasSteady) this.logger.warn({ error }, 'the heartbeat of this worker could not be written');
        return heartbeatRetryMs;
      },
    );
    if (!this.retired) this.scheduleHeartbeat(afterMs);
  }

  private sweep(): void {
    if (this.sweeping !== undefined || this.stopped) return;
    this.sweeping = this.sweepOnce().finally(() => (this.sweeping = undefined));
  }

  /** Each step runs even if another fails. The most important one is the search for work without a wake-up. */
  private async sweepOnce(): Promise<void> {
    await this.tried('forgetting dead workers failed', () => this.returnFromDeadWorkers());
    await this.tried('giving up lanes failed', () => this.lanes.abandonFailed());
    await this.tried('looking for work failed', () => this.laneSweep.run());
  }

  private async tried(failure: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.logger.warn({ error }, failure);
    }
  }

  private async returnFromDeadWorkers(): Promise<void> {
    const signs = signsOfDeath(this.presence.steadyForMs);
    if (signs === undefined) return;
    const returned = await this.queue.forgetDeadWorkers(this.worker.id, signs.silentForMs, signs.frozenForMs);
    if (returned > 0) this.logger.info({ recipients: returned }, 'recipients of a dead worker returned to the queue');
  }
}
