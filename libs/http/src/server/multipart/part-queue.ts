/** Passes items from callbacks to one reader that awaits them. */
export class PartQueue<Item> {
  private readonly items: Item[] = [];
  private failure: Error | undefined;
  private hasEnded = false;
  private wake: (() => void) | undefined;

  push(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }

  end(): void {
    this.hasEnded = true;
    this.wake?.();
  }

  /** The first failure counts. It takes precedence over items that wait. */
  fail(error: Error): void {
    this.failure ??= error;
    this.wake?.();
  }

  /** Undefined at the end. */
  async shift(): Promise<Item | undefined> {
    while (this.failure === undefined && this.items.length === 0 && !this.hasEnded) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.failure !== undefined) throw this.failure;
    return this.items.shift();
  }
}
