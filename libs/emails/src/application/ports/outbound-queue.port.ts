import { Transaction } from '#kernel';

/** One recipient of one email, to be delivered as soon as possible. */
export interface QueuedRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly domainId: string;
  /** Region of the sending domain. */
  readonly region: string;
  readonly recipientNo: number;
  readonly address: string;
  /** Bytes of the email's content. */
  readonly size: number;
  readonly queuedAt: Date;
  /** The envelope sender. Undefined: a return path of its own. */
  readonly mailFrom?: string;
  /** Whether recipients of the email may get different content: it has merge values, or links of a topic. */
  readonly isPersonal: boolean;
  /** Bulk mail waits behind transactional mail. Absent: transactional. */
  readonly isBulk?: boolean;
}

/** One recipient of one email. */
export interface RecipientOfEmail {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** The queue in which accepted mail waits for delivery. The delivery lib implements it. */
export abstract class OutboundQueue {
  /** Writes in the accepting transaction, so that a message is queued if and only if it is accepted. */
  abstract enqueue(recipients: readonly QueuedRecipient[], transaction: Transaction): Promise<void>;

  /** Makes the deferred mail of a deleted domain due now: its next attempt fails for good. */
  abstract makeDue(domainId: string, transaction: Transaction): Promise<void>;

  /**
   * Removes recipients for which no delivery is under way, and resolves with those removed. Recipients that a worker
   * has claimed stay, and so do those that another transaction is changing.
   */
  abstract withdraw(
    recipients: readonly RecipientOfEmail[],
    transaction: Transaction,
  ): Promise<readonly RecipientOfEmail[]>;

  /**
   * Wakes the workers after the commit of `enqueue`. This only saves waiting: workers also find mail without being
   * woken.
   */
  abstract wake(recipients: readonly QueuedRecipient[]): void;
}
