/** Notifies a running lane of new work, and of a stop of the program. */
export class WakeUps {
  private poked = false;
  private stopped = false;
  private waiting: ((poked: boolean) => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  get stopping(): boolean {
    return this.stopped;
  }

  poke(): void {
    this.poked = true;
    this.answer();
  }

  stop(): void {
    this.stopped = true;
    this.answer();
  }

  /**
   * Resolves at the next notification (also one that came before the call), at a stop, when `earlier` resolves, or after
   * `timeoutMs`. True only for a notification.
   */
  next(timeoutMs: number, earlier?: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      if (this.poked || this.stopped) return this.answer();
      this.timer = setTimeout(() => this.answer(), timeoutMs);
      void earlier?.then(() => {
        if (this.waiting === resolve) this.answer();
      });
      return undefined;
    });
  }

  private answer(): void {
    const { waiting } = this;
    if (waiting === undefined) return;
    clearTimeout(this.timer);
    this.waiting = undefined;
    const poked = this.poked && !this.stopped;
    this.poked = false;
    waiting(poked);
  }
}
