/** Counts what a lane holds, and tells when it is little enough. */
export class HeldCount {
  private waiting: { readonly limit: number; readonly resolve: () => void } | undefined;
  private held = 0;
  private ended = 0;

  get count(): number {
    return this.held;
  }

  /** All that were held and no longer are. */
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

  /** Resolves when at most so many are held. One caller waits at a time. */
  atMost(limit: number): Promise<void> {
    if (this.held <= limit) return Promise.resolve();
    return new Promise((resolve) => (this.waiting = { limit, resolve }));
  }
}
