import { DeliveryOutcome } from '../domain/delivery-outcome.js';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

/**
 * Whether the site behind a lane can be talked to at all, as one drain of it finds out.
 *
 * The first attempt that finds it down counts and pauses the lane for everybody; what was under way beside it, or claimed
 * behind it, goes back as if it had never been tried. After the pause one recipient is the probe: a site that is down
 * costs one attempt per pause, and not one per message that waits for it.
 */
export class LaneHealth {
  private found: DeliveryOutcome | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** What the attempt that found the site down ended with. */
  get trouble(): DeliveryOutcome | undefined {
    return this.found;
  }

  /** Responses whether the attempt counts. */
  async learnFrom(outcome: DeliveryOutcome, isProbe: boolean): Promise<boolean> {
    if (outcome.kind === 'deferred' && outcome.isSiteTrouble === true) {
      if (this.found !== undefined) return false;
      this.found = outcome;
      // What an attempt ended with must not be lost over it; the next one will find the same.
      await this.queue.pause(this.lane, outcome.reason).catch(() => undefined);
    } else if (isProbe && this.found === undefined && provesSiteUp(outcome)) {
      await this.queue.resume(this.lane).catch(() => undefined);
    }
    return true;
  }

  giveBack(recipients: readonly ClaimedRecipient[]): Promise<void> {
    return this.queue.giveBack(this.workerId, recipients);
  }
}

/**
 * Trouble of our own says nothing of the site. Whoever greets us and breaks off later is up: as long as its lane counts as
 * down, its mail would be tried one message after the other.
 */
function provesSiteUp(outcome: DeliveryOutcome): boolean {
  if (outcome.kind === 'bounced' && outcome.failure !== undefined) return false;
  const { replyCode, address } = outcome.detail;
  return outcome.kind !== 'deferred' || replyCode !== undefined || address !== undefined;
}
