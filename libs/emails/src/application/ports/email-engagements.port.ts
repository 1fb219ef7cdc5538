import { Transaction } from '#kernel';
import { Engagement } from '../../domain/engagement.js';

export interface EmailRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** What recipients did with their emails. */
export abstract class EmailEngagements {
  /** When each of the recipients got its email, in order; undefined where that is not on record, or no longer. */
  abstract deliveredAt(
    recipients: readonly EmailRecipient[],
    transaction: Transaction,
  ): Promise<readonly (Date | undefined)[]>;

  /**
   * Writes an event for each with the next number of its email, in order. What is beyond `maxEngagements`, and what
   * belongs to no email any more, is passed over.
   *
   * The email's `last_event` becomes `opened` or `clicked`, and never goes back from clicked to opened. It does not
   * move for a machine, nor where the recipient's mail bounced or was complained about.
   */
  abstract record(engagements: readonly Engagement[], transaction: Transaction): Promise<void>;
}
