/**
 * How many messages a site is given per time: a token bucket that holds what a second brings, at least one. Halved when
 * the site says that it is too much, and a quarter more after every ten seconds' worth of messages that went well.
 */
export class RateLimit {
  #perMinute: number;
  #share = 1;
  #taken = 0;
  #tokens: number;
  #filledAt: number;
  #successes = 0;
  #narrowedAt = -Infinity;

  constructor(
    private maximum: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#perMinute = maximum;
    this.#tokens = this.#capacity;
    this.#filledAt = this.now();
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  get maxPerMinute(): number {
    return this.maximum;
  }

  /** What was learnt stays, within the new maximum. */
  setMaximum(perMinute: number): void {
    const isWide = this.#perMinute === this.maximum;
    this.maximum = perMinute;
    this.#perMinute = isWide ? perMinute : Math.min(perMinute, this.#perMinute);
  }

  /** How much of it is for this process, from 0 to 1. Default: all. */
  set share(share: number) {
    this.#fill();
    this.#share = share;
    this.#tokens = Math.min(this.#tokens, this.#capacity);
  }

  /**
   * Zero where one more message may go, which is then counted; otherwise the milliseconds until it may, or after which to ask
   * again: within a second its share may have changed.
   */
  take(): number {
    const wait = this.wait();
    if (wait > 0) return wait;
    this.#tokens--;
    this.#taken++;
    return 0;
  }

  /** What `take` would answer, without taking. */
  wait(): number {
    this.#fill();
    if (this.#tokens >= 1) return 0;
    return Math.min(maxWaitMs, Math.ceil(((1 - this.#tokens) * minute) / this.#ownPerMinute));
  }

  /** Messages since the last call. */
  countTaken(): number {
    const taken = this.#taken;
    this.#taken = 0;
    return taken;
  }

  narrow(): void {
    this.#successes = 0;
    // What was under way when the limit fell may complain yet: that is the same complaint.
    if (this.now() - this.#narrowedAt < settleMs) return;
    this.#narrowedAt = this.now();
    this.#fill();
    this.#perMinute = Math.max(Math.min(slowest, this.maximum), Math.floor(this.#perMinute / 2));
    this.#tokens = Math.min(this.#tokens, this.#capacity);
  }

  succeeded(): void {
    if (this.#perMinute === this.maximum || ++this.#successes < Math.max(fewest, this.#perMinute / 6)) return;
    this.#successes = 0;
    this.#fill();
    this.#perMinute = Math.min(this.maximum, Math.ceil(this.#perMinute * 1.25));
  }

  get #ownPerMinute(): number {
    return this.#perMinute * this.#share;
  }

  get #capacity(): number {
    return Math.max(1, this.#ownPerMinute / 60);
  }

  #fill(): void {
    const now = this.now();
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#filledAt) * this.#ownPerMinute) / minute);
    this.#filledAt = now;
  }
}

const minute = 60_000;
const settleMs = 1_000;
const maxWaitMs = 1_000;
/** Messages a minute: the least a site is given while it takes any. */
const slowest = 6;
const fewest = 5;
