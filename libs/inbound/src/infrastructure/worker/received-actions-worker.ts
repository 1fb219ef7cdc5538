import { Logger } from '#observability/logging';
import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { DueWork } from '../../application/ports/received-work.port.js';
import { maxRuns, RunReceivedActions } from '../../application/run-received-actions.use-case.js';

/** Looks for received emails with actions to run. A run that ends makes room for the next one at once. */
@Injectable()
export class ReceivedActionsWorker extends LeasedWork<DueWork> {
  constructor(
    host: WorkHost,
    private readonly actions: RunReceivedActions,
    private readonly logger: Logger,
  ) {
    super(host, {
      task: 'running the actions of received mail',
      found: '(SELECT min(due_at) FROM received_work) <= $1',
      everyMs: 500,
      maxLeases: maxRuns,
    });
  }

  protected claim(limit: number): Promise<readonly DueWork[]> {
    return this.actions.claim(limit);
  }

  protected async work(work: DueWork): Promise<void> {
    const reason = await this.actions.run(work);
    if (reason === undefined) return;
    this.logger.warn({ emailId: work.emailId, reason }, 'actions of a received email were given up after five days');
  }
}
