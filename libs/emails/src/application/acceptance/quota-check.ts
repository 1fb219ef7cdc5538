import { CountedMessages, Quotas } from '#rate-limit';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/**
 * Step of acceptance: whether the team's quota has room for the emails, as far as this process knows. The number that counts
 * is the one in the database, which the transaction of the emails adds to and checks again.
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

/** Each recipient is a message. */
export function countedMessages(emails: readonly AcceptedEmail[]): CountedMessages[] {
  return emails.map(({ email, recipients }) => ({ teamId: email.teamId, messages: recipients.length }));
}
