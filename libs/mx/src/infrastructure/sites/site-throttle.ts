import { classifyReply } from '#delivery';
import type { DeliveryOutcome, Narrowing } from '#delivery';
import { ConnectionBudget, RateLimit } from '#smtp-client';
import type { SmtpFailure } from '#smtp-client';
import type { SiteProfile } from './site-profiles.js';

/** Characters of a reply that are kept. */
const maxReply = 300;

/**
 * The limits of one site for one of our addresses: connections and messages per minute. All connections to the site
 * share them, whatever TLS they require. A refused connection narrows the connections; a refused message narrows the
 * rate as well.
 */
export class SiteThrottle {
  readonly budget: ConnectionBudget;
  readonly rate: RateLimit;
  readonly #connections: SiteLimit;
  #profile: SiteProfile;
  #narrowed: Narrowing | undefined;

  constructor(profile: SiteProfile, now: () => number = () => performance.now()) {
    this.#profile = profile;
    this.#connections = new SiteLimit(profile.connections, now);
    this.budget = new ConnectionBudget(profile.connections);
    this.rate = new RateLimit(profile.messagesPerMinute, now);
  }

  get profile(): SiteProfile {
    return this.#profile;
  }

  get connectionLimit(): number {
    return this.#connections.current;
  }

  /** What narrowed the limits, while they are narrower than those of the profile. */
  get narrowed(): Narrowing | undefined {
    const isNarrow = this.connectionLimit < this.#profile.connections || this.rate.perMinute < this.rate.maxPerMinute;
    return isNarrow ? this.#narrowed : undefined;
  }

  /** To be set when the operator changes the profile. */
  set profile(profile: SiteProfile) {
    if (profile === this.#profile) return;
    this.#profile = profile;
    this.#connections.setMax(profile.connections);
    this.rate.setMax(profile.messagesPerMinute);
    this.budget.setLimit(this.#connections.current);
  }

  connectFailed({ reply }: SmtpFailure): void {
    if (reply === undefined || !isTooMuch(reply.code, reply.enhancedCode, reply.text)) return;
    this.#note(reply.code, reply.text);
    this.#narrowConnections();
  }

  learnFrom({ kind, detail }: DeliveryOutcome, isOfConnection: boolean): void {
    if (kind === 'delivered') return this.#succeeded();
    if (isOfConnection || detail.replyCode === undefined) return;
    if (!isTooMuch(detail.replyCode, detail.enhancedCode, detail.replyText ?? '')) return;
    this.#note(detail.replyCode, detail.replyText ?? '');
    this.rate.narrow();
    this.#narrowConnections();
  }

  #succeeded(): void {
    this.rate.succeeded();
    this.#connections.succeeded();
    if (this.budget.limit !== this.#connections.current) this.budget.setLimit(this.#connections.current);
  }

  #note(code: number, text: string): void {
    this.#narrowed = { at: new Date().toISOString(), reply: `${code} ${text}`.slice(0, maxReply).toWellFormed() };
  }

  #narrowConnections(): void {
    this.#connections.narrow(this.budget.openConnections);
    this.budget.setLimit(this.#connections.current);
  }
}

/**
 * Whether the site asks for less load: 421 or 4.7.x (RFC 3463 section 3.8). Greylisting often uses 4.7.1 too, but it
 * concerns one recipient, who gets no mail sooner if all other mail slows down.
 */
function isTooMuch(code: number, enhancedCode: string | undefined, text: string): boolean {
  if (code !== 421 && enhancedCode?.startsWith('4.7.') !== true) return false;
  return classifyReply(code, enhancedCode, text).category !== 'greylisting';
}

/**
 * Number of connections allowed to a site. It is halved, or reduced to the number of connections that were open, when
 * the site refuses because of load. It is raised by one after a number of successful messages.
 */
class SiteLimit {
  #limit: number;
  #successes = 0;
  #narrowedAt = -Infinity;

  constructor(
    private max: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#limit = max;
  }

  get current(): number {
    return this.#limit;
  }

  /** Sets a new maximum and keeps a limit that is narrower. */
  setMax(max: number): void {
    this.#limit = this.#limit === this.max ? max : Math.min(max, this.#limit);
    this.max = max;
  }

  /**
   * To be called when the site refused a connection or a message because of load, with the number of connections open
   * then.
   */
  narrow(openConnections: number): void {
    this.#successes = 0;
    // Messages that were under way when the limit fell may still be refused. These refusals count as the same one.
    if (this.now() - this.#narrowedAt < settleMs) return;
    this.#narrowedAt = this.now();
    this.#limit = Math.max(1, Math.min(Math.floor(this.#limit / 2), openConnections));
  }

  succeeded(): void {
    if (this.#limit === this.max || ++this.#successes < this.#limit * messagesPerStep) return;
    this.#successes = 0;
    this.#limit++;
  }
}

const settleMs = 1_000;
/** Number of successful messages per connection before another connection is allowed. */
const messagesPerStep = 50;
