import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { DeliveryQueue, WorkerPresence } from '../../application/ports/delivery-queue.port.js';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import { WorkerIdentity } from '../../application/worker-identity.js';
import { LaneRunner } from './lane-runner.js';

const heartbeatMs = 2_000;
/** A failed heartbeat is repeated sooner: after an outage the other workers wait for it. */
const heartbeatRetryMs = 250;
const sweepMs = 1_000;
/** Far from the database a sweep takes long, and the next one begins this many times as long after it, but not later than `maxSweepMs`. */
const sweepRest = 8;
const maxSweepMs = 3_000;

/**
 * Sends the heartbeats of this worker, returns the recipients of dead workers to the queue, and finds work without a
 * wake-up: retries that have become due, and mail whose wake-up was lost.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private heartbeats: NodeJS.Timeout | undefined;
  private sweeps: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private restsUntil = 0;
  private stopped = false;
  private retired = false;
  private readonly laneSweep: LaneSweep;

  // oxlint-disable-next-line max-params -- One story: the order of a stop ties heartbeats, sweeps and lanes together.
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
    // oxlint-disable-next-line no-restricted-globals -- Ends before the lanes are stopped, and heartbeats go on after it.
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
    if (this.sweeping !== undefined || this.stopped || performance.now() < this.restsUntil) return;
    const startedAt = performance.now();
    this.sweeping = this.sweepOnce().finally(() => {
      const endedAt = performance.now();
      this.restsUntil = endedAt + Math.min(maxSweepMs - sweepMs, (endedAt - startedAt) * sweepRest);
      this.sweeping = undefined;
    });
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

/** Lanes examined with one statement, which takes about 10 ms. */
const lanesAtOnce = 2_000;
/** A sweep starts no further statement after this time. */
const spendMs = 25;

/**
 * Finds lanes that have work but got no wake-up: retries that have become due, pauses that have ended, mail whose
 * wake-up was lost. Each sweep continues by name where the one before stopped, and starts again after the last lane. So
 * every lane gets its turn, whatever its name, and the cost of a sweep does not grow with the number of lanes.
 *
 * With a sweep per second, up to about 5,000 lanes are all examined each second, and 300,000 within one minute, or two
 * and a half minutes if the database is busy.
 */
export class LaneSweep {
  private lookedAt: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly workerId: string,
    private readonly wake: (lane: string, teamId: string) => void,
  ) {}

  async run(): Promise<void> {
    const startedAt = performance.now();
    do {
      const found = await this.queue.lanesWithWork(this.workerId, this.lookedAt, lanesAtOnce);
      for (const { name, teamId } of found.lanes) this.wake(name, teamId);
      this.lookedAt = found.lookedAt;
    } while (this.lookedAt !== undefined && performance.now() - startedAt < spendMs);
  }
}

/** How old the heartbeat of a dead worker is at least, in ms. */
interface SignsOfDeath {
  /** If its session has ended as well. */
  readonly silentForMs: number;
  /** Whatever the state of its session. Undefined: such a worker cannot be declared dead yet. */
  readonly frozenForMs: number | undefined;
}

/** Five missed heartbeats: a worker that pauses for a second is not declared dead, and a dead one is detected soon. */
const silentForMs = 10_000;
/** A frozen worker still knows its outcomes, but its mail cannot wait for it forever. */
const frozenForMs = 60_000;
/** After an outage other workers may take longer to return: a new connection may wait 10 seconds for its reply. */
const allAreBackAfterMs = 30_000;

/**
 * How silent another worker must be to count as dead, if this worker has reached the database for `steadyForMs` without
 * a break. After an outage every heartbeat is old, so the result is undefined: no worker can be declared dead yet.
 */
export function signsOfDeath(steadyForMs: number): SignsOfDeath | undefined {
  if (steadyForMs < silentForMs) return undefined;
  return { silentForMs, frozenForMs: steadyForMs < allAreBackAfterMs ? undefined : frozenForMs };
}
