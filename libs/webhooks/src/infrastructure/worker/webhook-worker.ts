import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { Clock, newId, RunningLanes, WakeUps } from '#kernel';
import { Config } from '#platform/config';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { DrainEndpoint } from '../../application/drain-endpoint.use-case.js';
import { MessageQueue, webhookWork } from '../../application/ports/message-queue.port.js';

/** Maximum number of endpoints that one process calls at once. */
export const maxLanes = 500;
/** Minimum time that a lane runs before it may be stopped in favour of an endpoint that waits. */
const minTurnMs = 2_000;

/** The lanes of this process: at most one drain per endpoint, so that a slow or dead one delays only itself. */
@Injectable()
export class EndpointLanes {
  private readonly running = new RunningLanes();
  /** Endpoints that were woken while the maximum number of lanes was running. */
  private readonly waiting = new Set<string>();
  private stopping = false;

  constructor(
    private readonly drainEndpoint: DrainEndpoint,
    private readonly logger: Logger,
  ) {}

  wake(webhookId: string, workerId: string): void {
    if (this.running.notify(webhookId) || this.stopping) return;
    if (this.running.size < maxLanes) return this.start(webhookId, workerId);
    this.waiting.add(webhookId);
    this.running.stopOldest(this.waiting.size, minTurnMs);
  }

  /** Starts no new call; resolves when the calls under way have ended, at the latest after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    await this.running.stop(timeoutMs);
  }

  private start(webhookId: string, workerId: string): void {
    const drain = (wakeUps: WakeUps): Promise<void> =>
      this.drainEndpoint
        .drain(webhookId, workerId, wakeUps)
        .catch((error: unknown) => this.logger.error({ error, webhookId }, 'sending to a webhook endpoint failed'));
    this.running.start(webhookId, drain, () => this.startNext(workerId));
  }

  private startNext(workerId: string): void {
    const [next] = this.waiting;
    if (next === undefined || this.stopping) return;
    this.waiting.delete(next);
    this.start(next, workerId);
  }
}

const renewLanesMs = 2_000;
const sweepMs = 1_000;
/** Number of endpoints with waiting messages that one sweep examines, due or not. The next sweep continues after them. */
const maxExaminedAtOnce = 1_000;

/**
 * Finds endpoints that have due messages. The database notifies it when an event is committed. A sweep each second finds
 * retries that have come due, messages whose notification was lost, and the lanes of dead workers.
 */
@Injectable()
export class WebhookWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  /** New at each start, so that a restarted process does not own the lanes of the process before. */
  private readonly workerId = newId();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly underWay = new Map<string, Promise<void>>();
  private lastExamined: string | undefined;
  private started = false;
  private stopped = false;

  constructor(
    private readonly queue: MessageQueue,
    private readonly lanes: EndpointLanes,
    private readonly notifications: ProcessNotifications,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.notifications.on(webhookWork, (webhookId) => {
      if (!this.started) return;
      if (webhookId === '') this.sweep();
      else this.lanes.wake(webhookId, this.workerId);
    });
  }

  onApplicationBootstrap(): void {
    this.started = true;
    const renew = (): void => this.once('renewing the lanes of webhooks', () => this.queue.renewLanes(this.workerId));
    this.timers.push(
      // oxlint-disable-next-line no-restricted-globals -- A lane is kept until its last call has ended, in the middle of the stop.
      setInterval(renew, renewLanesMs),
      // oxlint-disable-next-line no-restricted-globals -- Ends before the lanes are stopped, so that none is woken meanwhile.
      setInterval(() => this.sweep(), sweepMs),
    );
    this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    const [renewal, ...others] = this.timers;
    others.forEach(clearInterval);
    await this.lanes.stop(this.config.values.shutdownSeconds * 1_000);
    clearInterval(renewal);
    await Promise.all(this.underWay.values());
  }

  private sweep(): void {
    if (this.stopped) return;
    this.once('looking for webhooks to send', async () => {
      const found = await this.queue.lanesWithWork(
        this.workerId,
        this.clock.now(),
        this.lastExamined,
        maxExaminedAtOnce,
      );
      this.lastExamined = found.last;
      for (const webhookId of found.webhookIds) this.lanes.wake(webhookId, this.workerId);
    });
  }

  /** Does not start a piece of work again while it is still running. */
  private once(name: string, work: () => Promise<void>): void {
    if (this.underWay.has(name)) return;
    const done = work()
      .catch((error: unknown) => this.logger.warn({ error }, `${name} failed`))
      .finally(() => this.underWay.delete(name));
    this.underWay.set(name, done);
  }
}
