/**
 * A deadline that moves often and rarely passes.
 *
 * A timer per command would be set and cleared several times per message. This one is set again only for an earlier
 * deadline. A later deadline is noticed when the timer fires, which then waits for the remaining time.
 */
export class Deadline {
  #at = Infinity;
  #firesAt = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onPassed: () => void) {}

  set(milliseconds: number): void {
    this.#at = performance.now() + milliseconds;
    if (this.#at < this.#firesAt) this.#arm(milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
    this.#firesAt = Infinity;
  }

  #arm(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.#fire(), milliseconds);
    this.#timer.unref();
  }

  #fire(): void {
    this.#firesAt = Infinity;
    const remaining = this.#at - performance.now();
    if (remaining > 0) this.#arm(remaining);
    else this.onPassed();
  }
}
