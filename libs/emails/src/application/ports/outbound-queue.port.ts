import { Transaction } from '#kernel';

/** One recipient of one email, to be delivered as soon as possible. */
export interface QueuedRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly domainId: string;
  /** Of the sending domain. */
  readonly region: string;
  readonly recipientNo: number;
  readonly address: string;
  /** Bytes of the email's content. */
  readonly size: number;
  readonly queuedAt: Date;
}

/** Where accepted mail waits for delivery. Implemented by whatever delivers. */
export abstract class OutboundQueue {
  /** Writes within the accepting transaction: a message is queued if and only if it is accepted. */
  abstract enqueue(recipients: readonly QueuedRecipient[], transaction: Transaction): Promise<void>;

  /** What waits for another attempt, of a domain that is gone, is due in a moment: the next attempt ends it. */
  abstract hasten(domainId: string, transaction: Transaction): Promise<void>;

  /** Says that what was enqueued has been committed. Only saves waiting: mail that nobody was woken for is found anyway. */
  abstract wake(recipients: readonly QueuedRecipient[]): void;
}
