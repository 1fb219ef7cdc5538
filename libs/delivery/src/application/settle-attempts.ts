import { Injectable } from '@nestjs/common';
import { OutgoingEmails } from '#emails';
import { Transaction } from '#kernel';
import { Suppressions, SuppressionOrigin } from '#suppressions';
import { FinishedAttempt, suppresses } from '../domain/attempt.js';
import { changeAfter, complaintAfter } from '../domain/recipient-progress.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { OutcomeLog } from './ports/outcome-log.port.js';
import { WorkerIdentity } from './worker-identity.js';

/**
 * The end of an attempt, and what follows from it. One transaction settles a batch of attempts:
 *
 * 1. the queue: a recipient with a final outcome leaves it, the others wait for their next attempt;
 * 2. the email: the recipient's state changes, with an event, of which database triggers make the webhook messages;
 * 3. the consequences: a bad address is suppressed, and so is a recipient that complained.
 */
@Injectable()
export class SettleAttempts {
  /** Resolves when everything that follows from the attempt is committed. */
  readonly settle: (attempt: FinishedAttempt) => Promise<void>;

  constructor(
    log: OutcomeLog,
    private readonly queue: DeliveryQueue,
    private readonly emails: OutgoingEmails,
    private readonly suppressions: Suppressions,
    private readonly worker: WorkerIdentity,
  ) {
    this.settle = log.inBatches((attempts, now, transaction) => this.settleBatch(attempts, now, transaction));
  }

  /**
   * Returns the attempts whose leases this worker still held; the others belong to another worker. Attempts that were
   * settled before have no lease any more, so a repetition changes nothing.
   */
  private async settleBatch(
    attempts: readonly FinishedAttempt[],
    now: Date,
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]> {
    const settled = await this.queue.settle(this.worker.id, attempts, transaction);
    await this.emails.record(
      settled.map((attempt) => changeAfter(attempt, now)),
      transaction,
    );
    await this.drawConsequences(settled, now, transaction);
    return settled;
  }

  /** Nearly always there are none. */
  private async drawConsequences(
    settled: readonly FinishedAttempt[],
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    const complaints = settled.filter(({ outcome }) => outcome.kind === 'delivered' && outcome.complained === true);
    const bounces = settled.filter(({ outcome }) => suppresses(outcome));
    if (complaints.length > 0) {
      await this.emails.record(
        complaints.map((attempt) => complaintAfter(attempt, now)),
        transaction,
      );
      await this.suppress(complaints, 'complaint', transaction);
    }
    if (bounces.length > 0) await this.suppress(bounces, 'bounce', transaction);
  }

  private async suppress(
    attempts: readonly FinishedAttempt[],
    origin: SuppressionOrigin,
    transaction: Transaction,
  ): Promise<void> {
    const ids = attempts.map(({ recipient }) => recipient.emailId);
    const teams = await this.emails.teamsOf(ids, transaction);
    const additions = attempts.flatMap(({ recipient: { emailId, address } }) => {
      const teamId = teams.get(emailId);
      return teamId === undefined ? [] : [{ teamId, email: address, origin, sourceId: emailId }];
    });
    if (additions.length > 0) await this.suppressions.add(additions, transaction);
  }
}
