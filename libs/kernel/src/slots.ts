/** Lets so many through at once; the others wait their turn. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  take(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  giveBack(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}
