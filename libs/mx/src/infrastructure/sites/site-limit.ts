/**
 * How many connections a site is given: halved, or cut to what it bore, when it says that it is too much, and raised by
 * one after every so many messages that went well.
 */
export class SiteLimit {
  #limit: number;
  #successes = 0;
  #narrowedAt = -Infinity;

  constructor(
    private maximum: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#limit = maximum;
  }

  get current(): number {
    return this.#limit;
  }

  /** What was learnt stays, within the new maximum. */
  setMaximum(maximum: number): void {
    this.#limit = this.#limit === this.maximum ? maximum : Math.min(maximum, this.#limit);
    this.maximum = maximum;
  }

  /** The site refused a connection or a message because of how much comes; `borne` connections it had then. */
  narrow(borne: number): void {
    this.#successes = 0;
    // What was under way when the limit fell may complain yet: that is the same complaint.
    if (this.now() - this.#narrowedAt < settleMs) return;
    this.#narrowedAt = this.now();
    this.#limit = Math.max(1, Math.min(Math.floor(this.#limit / 2), borne));
  }

  succeeded(): void {
    if (this.#limit === this.maximum || ++this.#successes < this.#limit * messagesPerStep) return;
    this.#successes = 0;
    this.#limit++;
  }
}

const settleMs = 1_000;
/** Messages per connection that must go well before another connection is tried. */
const messagesPerStep = 50;
