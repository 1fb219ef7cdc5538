import { Clock } from '#kernel';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { burstMs, isBurst, machineReason, Visit } from '../domain/machine-rules.js';
import { ObservedVisit, TrackedLink, TrackedRecipient } from '../domain/observed-visit.js';
import { VisitLog } from './ports/tracked-visits.port.js';

/** A visit as its request shows it, with the client's address. */
export interface SeenVisit extends Omit<Visit, 'kind'> {
  readonly ipAddress: string;
}

/** Maximum number of recipients with waiting clicks. Beyond it, the oldest are classified before their second is over. */
const maxWaiting = 10_000;
/** Maximum number of clicks of one recipient that are held within the second. */
const maxPerOne = 200;
const maxUserAgentLength = 512;

/**
 * Distinguishes readers from machines and logs the visits of both.
 *
 * Clicks wait for a second, because a scanner that follows every link of an email looks like a reader at its first click.
 * If the process dies in that second, the waiting clicks are lost. The reader was redirected long before.
 */
@Injectable()
export class FollowVisits implements OnApplicationShutdown {
  private readonly waiting = new Map<string, { readonly clicks: ObservedVisit[]; readonly timer: NodeJS.Timeout }>();

  constructor(
    private readonly log: VisitLog,
    private readonly clock: Clock,
  ) {}

  opened(recipient: TrackedRecipient, seen: SeenVisit): void {
    this.log.add([this.observed('open', recipient, seen)]);
  }

  clicked({ url, ...recipient }: TrackedLink, seen: SeenVisit): void {
    const click = { ...this.observed('click', recipient, seen), url };
    const key = `${recipient.emailId}/${recipient.recipientNo}`;
    const others = this.waiting.get(key);
    if (others !== undefined && others.clicks.length < maxPerOne) {
      others.clicks.push(click);
      return;
    }
    this.classify(key);
    const [oldest] = this.waiting.keys();
    if (this.waiting.size >= maxWaiting && oldest !== undefined) this.classify(oldest);
    const timer = setTimeout(() => this.classify(key), burstMs);
    this.waiting.set(key, { clicks: [click], timer });
  }

  /** Runs after the HTTP server has sent its last response. */
  async onApplicationShutdown(): Promise<void> {
    for (const key of [...this.waiting.keys()]) this.classify(key);
    await this.log.drain();
  }

  private classify(key: string): void {
    const { clicks, timer } = this.waiting.get(key) ?? {};
    if (clicks === undefined) return;
    clearTimeout(timer);
    this.waiting.delete(key);
    const burst = isBurst(clicks.map(({ url }) => url ?? ''));
    this.log.add(burst ? clicks.map((click) => ({ ...click, reason: click.reason ?? 'burst' })) : clicks);
  }

  private observed(kind: Visit['kind'], { emailId, recipientNo }: TrackedRecipient, seen: SeenVisit): ObservedVisit {
    const { ipAddress, method, purpose } = seen;
    const userAgent = (seen.userAgent ?? '').slice(0, maxUserAgentLength);
    const reason = machineReason({ kind, method, userAgent, purpose });
    return { kind, emailId, recipientNo, ipAddress, userAgent, reason, at: this.clock.now() };
  }
}
