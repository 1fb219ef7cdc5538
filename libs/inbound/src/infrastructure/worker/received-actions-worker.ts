import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { RunReceivedActions } from '../../application/run-received-actions.use-case.js';

const pauseMs = 500;

/** Looks for received emails with actions to run. */
@Injectable()
export class ReceivedActionsWorker implements OnApplicationBootstrap {
  constructor(
    private readonly actions: RunReceivedActions,
    private readonly timers: Timers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(pauseMs, 'running the actions of received mail', () => this.runAll());
  }

  private async runAll(): Promise<void> {
    for (;;) {
      const { tried, givenUp } = await this.actions.runBatch();
      if (givenUp.length > 0) this.logger.warn({ givenUp }, 'actions of received mail were given up after five days');
      if (tried === 0) return;
    }
  }
}
