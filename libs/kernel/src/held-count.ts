/** Counts the items that a lane holds, and tells a waiting caller when the count falls to a limit. */
export class HeldCount {
  private waiting: { readonly limit: number; readonly resolve: () => void } | undefined;
  private held = 0;
  private ended = 0;

  get count(): number {
    return this.held;
  }

  /** Number of items that were held and have been removed since. */
  get finished(): number {
    return this.ended;
  }

  add(count: number): void {
    this.held += count;
  }

  remove(count: number): void {
    this.held -= count;
    this.ended += count;
    if (this.waiting !== undefined && this.held <= this.waiting.limit) {
      this.waiting.resolve();
      this.waiting = undefined;
    }
  }

  /** Resolves when at most `limit` items are held. Only one caller may wait at a time. */
  atMost(limit: number): Promise<void> {
    if (this.held <= limit) return Promise.resolve();
    return new Promise((resolve) => (this.waiting = { limit, resolve }));
  }
}
