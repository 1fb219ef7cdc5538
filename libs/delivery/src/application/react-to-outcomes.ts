import { Injectable } from '@nestjs/common';
import { OutgoingEmails } from '#emails';
import { Transaction } from '#kernel';
import { AddSuppression, SuppressionOrigin } from '#suppressions';
import { suppresses } from '../domain/delivery-outcome.js';
import { FinishedAttempt } from '../domain/finished-attempt.js';
import { complaintAfter } from '../domain/recipient-progress.js';

/** Applies the consequences of outcomes besides their events: it records complaints and suppresses bad addresses. */
@Injectable()
export class ReactToOutcomes {
  constructor(
    private readonly emails: OutgoingEmails,
    private readonly addSuppression: AddSuppression,
  ) {}

  /** To be called after the attempts are recorded, in the same transaction. Almost always there is nothing to do. */
  async execute(attempts: readonly FinishedAttempt[], now: Date, transaction: Transaction): Promise<void> {
    const complaints = attempts.filter(({ outcome }) => outcome.kind === 'delivered' && outcome.complained === true);
    const bounces = attempts.filter(({ outcome }) => suppresses(outcome));
    if (complaints.length + bounces.length === 0) return;
    await this.emails.record(
      complaints.map((attempt) => complaintAfter(attempt, now)),
      transaction,
    );
    await this.suppress(complaints, 'complaint', transaction);
    await this.suppress(bounces, 'bounce', transaction);
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
    if (additions.length > 0) await this.addSuppression.execute(additions, transaction);
  }
}
