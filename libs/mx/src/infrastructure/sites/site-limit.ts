/**
 * Number of connections allowed to a site. It is halved, or reduced to the number of connections that were open, when
 * the site refuses because of load. It is raised by one after a number of successful messages.
 */
export class SiteLimit {
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
