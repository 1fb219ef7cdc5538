import { ContactAction } from '#audience';
import { Transaction } from '#kernel';

/** An event of an email: what happened, when, and whether a machine did it. */
export interface EngagementEvent {
  readonly emailId: string;
  readonly recipientNo: number | null;
  readonly createdAt: Date;
  readonly type: string;
  readonly data: unknown;
}

/** Reads whom events are about. */
export abstract class RecipientsOfEvents {
  /** The last time of each kind for each address, in one statement. Events of emails that were removed are left out. */
  abstract actions(events: readonly EngagementEvent[], transaction: Transaction): Promise<readonly ContactAction[]>;
}
