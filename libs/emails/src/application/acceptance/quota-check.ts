import { CountedMessages, Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/**
 * Step of acceptance: checks whether the team's quota has room for the emails, as far as this process knows. The count
 * in the database decides: the transaction of the emails increments and checks it again.
 */
@Injectable()
export class QuotaCheck {
  constructor(private readonly quotas: Quotas) {}

  /** Throws the error of the quota that is used up. */
  refuse(emails: readonly AcceptedEmail[]): void {
    for (const { teamId, messages } of countedMessages(emails)) this.quotas.refuseBeyond(teamId, messages);
  }

  isBeyond(emails: readonly AcceptedEmail[]): boolean {
    return countedMessages(emails).some(({ teamId, messages }) => this.quotas.isBeyond(teamId, messages));
  }
}

/** Counts each recipient as one message. */
export function countedMessages(emails: readonly AcceptedEmail[]): CountedMessages[] {
  return emails.map(({ email, recipients }) => ({ teamId: email.teamId, messages: recipients.length }));
}
