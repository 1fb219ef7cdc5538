import { DeliveryOutcome } from '../domain/delivery-outcome.js';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

/**
 * Whether the site behind a lane can be reached, as one drain of the lane finds out.
 *
 * The first attempt that finds the site down counts, and pauses the lane for all workers. Recipients that were under
 * way at the same time, or claimed later, return to the queue untried. After the pause one recipient is the probe, so
 * that a site that is down costs one attempt per pause instead of one per waiting message.
 */
export class LaneHealth {
  private found: DeliveryOutcome | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** The outcome of the attempt that found the site down. */
  get trouble(): DeliveryOutcome | undefined {
    return this.found;
  }

  /** Resolves with whether the attempt counts. */
  async learnFrom(outcome: DeliveryOutcome, isProbe: boolean): Promise<boolean> {
    if (outcome.kind === 'deferred' && outcome.isSiteTrouble === true) {
      if (this.found !== undefined) return false;
      this.found = outcome;
      // If the pause cannot be written, the outcome must still be recorded. The next attempt will find the site down
      // too.
      await this.queue.pause(this.lane, outcome.reason).catch(() => undefined);
    } else if (isProbe && this.found === undefined && provesSiteUp(outcome)) {
      await this.queue.resume(this.lane).catch(() => undefined);
    }
    return true;
  }

  returnUntried(recipients: readonly ClaimedRecipient[]): Promise<void> {
    return this.queue.returnUntried(this.workerId, recipients);
  }
}

/**
 * An internal error says nothing about the site. A host that greets us and breaks off later counts as up: while the
 * lane counts as down, its mail would be tried one message at a time.
 */
function provesSiteUp(outcome: DeliveryOutcome): boolean {
  if (outcome.kind === 'bounced' && outcome.failure !== undefined) return false;
  const { replyCode, address } = outcome.detail;
  return outcome.kind !== 'deferred' || replyCode !== undefined || address !== undefined;
}
