import { Transaction } from '#kernel';
import { Engagement } from '../../domain/engagement.js';

export interface EmailRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** Records opens and clicks of recipients. */
export abstract class EmailEngagements {
  /**
   * When each email was delivered to the recipient, in order; undefined if that is not recorded or no longer stored.
   */
  abstract deliveredAt(
    recipients: readonly EmailRecipient[],
    transaction: Transaction,
  ): Promise<readonly (Date | undefined)[]>;

  /**
   * Writes an event for each engagement, in order, with the next sequence number of its email. Skips engagements above
   * `maxEngagements`, and those of emails that are no longer stored.
   *
   * The email's `last_event` becomes `opened` or `clicked`, and never changes from clicked to opened. A machine does
   * not change it, and neither does a recipient whose mail bounced or was complained about.
   */
  abstract record(engagements: readonly Engagement[], transaction: Transaction): Promise<void>;
}
