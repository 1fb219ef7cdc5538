import { Clock, newId } from '#kernel';
import { Broadcast } from '#platform/database';
import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { MessageQueue } from '../../application/ports/message-queue.port.js';
import { EndpointLanes } from './endpoint-lanes.js';
import { webhookWork } from '../../application/webhook-work.js';

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
    const renew = (): void => this.once('renewing the lanes of webhooks', () => this.queue.renewLanes(this.workerId));
    this.timers.push(
      // eslint-disable-next-line no-restricted-globals -- A lane is kept until its last call has ended, in the middle of the stop.
      setInterval(renew, renewLanesMs),
      // eslint-disable-next-line no-restricted-globals -- Ends before the lanes are stopped, so that none is woken meanwhile.
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
