import { Clock, newId } from '#kernel';
import { Broadcast } from '#platform/database';
import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { MessageQueue } from '../../application/ports/message-queue.port.js';
import { EndpointLanes } from './endpoint-lanes.js';
import { webhookWork } from './broadcast-lane-signal.js';

const keepLanesMs = 2_000;
const sweepMs = 1_000;
/** Endpoints with something waiting that one sweep looks at, due or not; the next goes on behind them. */
const lookedAtOnce = 1_000;

/**
 * Finds endpoints that have something due: told by the database with the commit of an event, and by looking each second
 * for tries that have come due, for what nobody was told of, and for the lanes of workers that are gone.
 */
@Injectable()
export class WebhookWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  /** New with every start: a process never inherits from itself. */
  private readonly workerId = newId();
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly underWay = new Map<string, Promise<void>>();
  private lookedAt: string | undefined;
  private started = false;
  private stopped = false;

  constructor(
    private readonly queue: MessageQueue,
    private readonly lanes: EndpointLanes,
    private readonly broadcast: Broadcast,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.broadcast.on(webhookWork, (webhookId) => {
      if (!this.started) return;
      if (webhookId === '') this.sweep();
      else this.lanes.wake(webhookId, this.workerId);
    });
  }

  onApplicationBootstrap(): void {
    this.started = true;
    const keep = (): void => this.once('keeping the lanes of webhooks', () => this.queue.keepLanes(this.workerId));
    this.timers.push(
      // eslint-disable-next-line no-restricted-globals -- A lane is kept until its last call has ended, in the middle of the stop.
      setInterval(keep, keepLanesMs),
      // eslint-disable-next-line no-restricted-globals -- Ends before the lanes are stopped, so that none is woken meanwhile.
      setInterval(() => this.sweep(), sweepMs),
    );
    this.sweep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    const [keep, ...others] = this.timers;
    others.forEach(clearInterval);
    await this.lanes.stop(this.config.values.shutdownSeconds * 1_000);
    clearInterval(keep);
    await Promise.all(this.underWay.values());
  }

  private sweep(): void {
    if (this.stopped) return;
    this.once('looking for webhooks to send', async () => {
      const found = await this.queue.lanesWithWork(this.workerId, this.clock.now(), this.lookedAt, lookedAtOnce);
      this.lookedAt = found.last;
      for (const webhookId of found.webhookIds) this.lanes.wake(webhookId, this.workerId);
    });
  }

  /** Not beside itself: what takes longer than its interval is not begun again meanwhile. */
  private once(what: string, work: () => Promise<void>): void {
    if (this.underWay.has(what)) return;
    const done = work()
      .catch((error: unknown) => this.logger.warn({ error }, `${what} failed`))
      .finally(() => this.underWay.delete(what));
    this.underWay.set(what, done);
  }
}
