import { WakeUps } from '#kernel';
import { Logger } from '#platform/logging';
import { Injectable } from '@nestjs/common';
import { DrainEndpoint } from '../../application/drain-endpoint.use-case.js';

/** Endpoints called at once by one process. */
export const maxLanes = 500;
/** For so long a lane is kept, however much there is to send, while others wait for their turn. */
const turnMs = 2_000;

interface Run {
  readonly wakeUps: WakeUps;
  readonly startedAt: number;
  readonly ended: Promise<void>;
}

/** The lanes of this process: at most one drain per endpoint, so that a slow or dead one delays only itself. */
@Injectable()
export class EndpointLanes {
  /** Those that were started first come first. */
  private readonly running = new Map<string, Run>();
  /** Woken while all lanes were taken. */
  private readonly waiting = new Set<string>();
  private stopping = false;

  constructor(
    private readonly drainEndpoint: DrainEndpoint,
    private readonly logger: Logger,
  ) {}

  wake(webhookId: string, workerId: string): void {
    const run = this.running.get(webhookId);
    if (run !== undefined) return run.wakeUps.poke();
    if (this.stopping) return;
    if (this.running.size < maxLanes) return this.start(webhookId, workerId);
    this.waiting.add(webhookId);
    this.makeRoom();
  }

  /** Nothing new is sent; resolves when what is under way has ended, at the latest after so long. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    for (const { wakeUps } of this.running.values()) wakeUps.stop();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
    await Promise.race([Promise.all([...this.running.values()].map(({ ended }) => ended)), timeout]);
    clearTimeout(timer);
  }

  /** Ends no more lanes than there are endpoints that wait. */
  private makeRoom(): void {
    let ending = 0;
    for (const { wakeUps, startedAt } of this.running.values()) {
      if (ending === this.waiting.size || performance.now() - startedAt < turnMs) return;
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
