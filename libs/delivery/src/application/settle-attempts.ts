import { Injectable } from '@nestjs/common';
import { OutgoingEmails } from '#emails';
import { Transaction } from '#kernel';
import { FinishedAttempt } from '../domain/finished-attempt.js';
import { changeAfter } from '../domain/recipient-progress.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { ReactToOutcomes } from './react-to-outcomes.js';
import { WorkerIdentity } from './worker-identity.js';

/** The end of attempts: the queue, the recipients with their events, and what follows from the outcomes. */
@Injectable()
export class SettleAttempts {
  constructor(
    private readonly queue: DeliveryQueue,
    private readonly emails: OutgoingEmails,
    private readonly reactions: ReactToOutcomes,
    private readonly worker: WorkerIdentity,
  ) {}

  /**
   * Returns the attempts whose leases this worker still held; the others are not its own to record. Attempts that were
   * settled before have no lease any more, so a repetition changes nothing.
   */
  async execute(
    attempts: readonly FinishedAttempt[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]> {
    const settled = await this.queue.settle(this.worker.id, attempts, transaction);
    await this.emails.record(
      settled.map((attempt) => changeAfter(attempt, now)),
      transaction,
    );
    await this.reactions.execute(settled, now, transaction);
    return settled;
  }
}
