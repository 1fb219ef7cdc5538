import type { DeliveryOutcome } from './delivery-outcome.js';

/** A recipient that this worker holds: nobody else delivers it while the lease counts. */
export interface ClaimedRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly domainId: string;
  readonly recipientNo: number;
  readonly address: string;
  /** Bytes of the email's content, to bound how much is held in memory. */
  readonly size: number;
  /** Number of the attempt that the claim begins, from 1. */
  readonly attempt: number;
  /** Fencing number: grows with every claim, and an outcome under an older one counts for nothing. */
  readonly lease: number;
  readonly queuedAt: Date;
  /** Claimed after a pause of the lane, to see whether its site is up again. */
  readonly isProbe?: boolean;
}

/** An attempt that has ended. Without `retryAt` it was the last. */
export interface FinishedAttempt {
  readonly recipient: ClaimedRecipient;
  readonly outcome: DeliveryOutcome;
  readonly startedAt: Date;
  readonly retryAt: Date | undefined;
}
