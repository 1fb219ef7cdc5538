import type { DeliveryOutcome } from './delivery-outcome.js';

/** A recipient that this worker has claimed. No other worker delivers it while the lease is valid. */
export interface ClaimedRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly domainId: string;
  readonly recipientNo: number;
  readonly address: string;
  /** The envelope sender; empty for the null sender. Absent or null: a return path of its own. */
  readonly mailFrom?: string | null;
  /** Whether recipients of the email may get different content. Absent or null: they get the same. */
  readonly isPersonal?: boolean | null;
  /** Absent or null: transactional mail. */
  readonly isBulk?: boolean | null;
  /** Bytes of the email's content. It bounds the memory for content. */
  readonly size: number;
  /** Number of the attempt that this claim begins, from 1. */
  readonly attempt: number;
  /** Fencing number: it grows with every claim. An outcome under an older lease is ignored. */
  readonly lease: number;
  readonly queuedAt: Date;
  /** Claimed as the probe after a pause of the lane, to test whether its site is up again. */
  readonly isProbe?: boolean;
}

/** An attempt that has ended. Without `retryAt` it was the last one. */
export interface FinishedAttempt {
  readonly recipient: ClaimedRecipient;
  readonly outcome: DeliveryOutcome;
  readonly startedAt: Date;
  readonly retryAt: Date | undefined;
}
