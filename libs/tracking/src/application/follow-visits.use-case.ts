import { Clock } from '#kernel';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { machineReason, Visit } from '../domain/machine-rules.js';
import { burstMs, isBurst } from '../domain/machine-timing.js';
import { ObservedVisit } from '../domain/observed-visit.js';
import { TrackedLink, TrackedRecipient } from '../domain/tracked.js';
import { VisitLog } from './ports/visit-log.port.js';

/** A visit as its request shows it, and where it came from. */
export interface SeenVisit extends Omit<Visit, 'kind'> {
  readonly ipAddress: string;
}

/** Clicks that are waited with. Beyond this the oldest are judged by what is known of them. */
const maxWaiting = 10_000;
/** Clicks of one recipient within the second; more events it will not have anyhow. */
const maxPerOne = 200;
const maxUserAgentLength = 512;

/**
 * Tells readers from machines and has both written down.
 *
 * Clicks wait for a second, since a scanner that follows every link of an email looks like a reader at its first one.
 * A process that dies in that second takes them with it; the reader has been led on long before.
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
    this.judge(key);
    const [oldest] = this.waiting.keys();
    if (this.waiting.size >= maxWaiting && oldest !== undefined) this.judge(oldest);
    const timer = setTimeout(() => this.judge(key), burstMs);
    this.waiting.set(key, { clicks: [click], timer });
  }

  /** The HTTP server has answered its last request by now. */
  async onApplicationShutdown(): Promise<void> {
    for (const key of [...this.waiting.keys()]) this.judge(key);
    await this.log.drain();
  }

  private judge(key: string): void {
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
