import { WakeUps } from '#kernel';
import { Logger } from '#platform/logging';
import { Injectable } from '@nestjs/common';
import { DrainEndpoint } from '../../application/drain-endpoint.use-case.js';

/** Endpoints called at once by one process. What is beyond waits for the next sweep. */
export const mostLanes = 500;

/** The lanes of this process: at most one drain per endpoint, so that a slow or dead one delays only itself. */
@Injectable()
export class EndpointLanes {
  private readonly running = new Map<string, { readonly wakeUps: WakeUps; readonly ended: Promise<void> }>();
  private stopping = false;

  constructor(
    private readonly drainEndpoint: DrainEndpoint,
    private readonly logger: Logger,
  ) {}

  wake(webhookId: string, workerId: string): void {
    const run = this.running.get(webhookId);
    if (run !== undefined) run.wakeUps.poke();
    else if (!this.stopping && this.running.size < mostLanes) this.start(webhookId, workerId);
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

  private start(webhookId: string, workerId: string): void {
    const wakeUps = new WakeUps();
    const ended = this.drainEndpoint
      .execute(webhookId, workerId, wakeUps)
      .catch((error: unknown) => this.logger.error({ error, webhookId }, 'sending to a webhook endpoint failed'))
      .finally(() => this.running.delete(webhookId));
    this.running.set(webhookId, { wakeUps, ended });
  }
}
