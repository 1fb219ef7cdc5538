import { WakeUps } from '#kernel';
import { Logger } from '#platform/logging';
import { Injectable } from '@nestjs/common';
import { DrainEndpoint } from '../../application/drain-endpoint.use-case.js';

/** Maximum number of endpoints that one process calls at once. */
export const maxLanes = 500;
/** Minimum time that a lane runs before it may be stopped in favour of an endpoint that waits. */
const minTurnMs = 2_000;

interface Run {
  readonly wakeUps: WakeUps;
  readonly startedAt: number;
  readonly ended: Promise<void>;
}

/** The lanes of this process: at most one drain per endpoint, so that a slow or dead one delays only itself. */
@Injectable()
export class EndpointLanes {
  /** In the order of their start. */
  private readonly running = new Map<string, Run>();
  /** Endpoints that were woken while the maximum number of lanes was running. */
  private readonly waiting = new Set<string>();
  private stopping = false;

  constructor(
    private readonly drainEndpoint: DrainEndpoint,
    private readonly logger: Logger,
  ) {}

  wake(webhookId: string, workerId: string): void {
    const run = this.running.get(webhookId);
    if (run !== undefined) return run.wakeUps.notify();
    if (this.stopping) return;
    if (this.running.size < maxLanes) return this.start(webhookId, workerId);
    this.waiting.add(webhookId);
    this.makeRoom();
  }

  /** Starts no new call; resolves when the calls under way have ended, at the latest after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    for (const { wakeUps } of this.running.values()) wakeUps.stop();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([Promise.all([...this.running.values()].map(({ ended }) => ended)), timeout]);
    clearTimeout(timer);
  }

  /** Stops at most one lane for each waiting endpoint. */
  private makeRoom(): void {
    let ending = 0;
    for (const { wakeUps, startedAt } of this.running.values()) {
      if (ending === this.waiting.size || performance.now() - startedAt < minTurnMs) return;
      wakeUps.stop();
      ending++;
    }
  }

  private start(webhookId: string, workerId: string): void {
    const wakeUps = new WakeUps();
    const ended = this.drainEndpoint
      .execute(webhookId, workerId, wakeUps)
      .catch((error: unknown) => this.logger.error({ error, webhookId }, 'sending to a webhook endpoint failed'))
      .finally(() => {
        this.running.delete(webhookId);
        this.startNext(workerId);
      });
    this.running.set(webhookId, { wakeUps, startedAt: performance.now(), ended });
  }

  private startNext(workerId: string): void {
    const [next] = this.waiting;
    if (next === undefined || this.stopping) return;
    this.waiting.delete(next);
    this.start(next, workerId);
  }
}
