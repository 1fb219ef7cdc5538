/** Notifies a running lane of new work, and of a stop of the program. */
export class WakeUps {
  private notified = false;
  private stopped = false;
  private waiting: ((notified: boolean) => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  get stopping(): boolean {
    return this.stopped;
  }

  notify(): void {
    this.notified = true;
    this.wake();
  }

  stop(): void {
    this.stopped = true;
    this.wake();
  }

  /**
   * Resolves at the next notification (also one that came before the call), at a stop, when `earlier` resolves, or after
   * `timeoutMs`. True only for a notification.
   */
  next(timeoutMs: number, earlier?: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      if (this.notified || this.stopped) return this.wake();
      this.timer = setTimeout(() => this.wake(), timeoutMs);
      void earlier?.then(() => {
        if (this.waiting === resolve) this.wake();
      });
      return undefined;
    });
  }

  private wake(): void {
    const { waiting } = this;
    if (waiting === undefined) return;
    clearTimeout(this.timer);
    this.waiting = undefined;
    const notified = this.notified && !this.stopped;
    this.notified = false;
    waiting(notified);
  }
}

/** Tells all processes that a lane has work. A signal may be lost: workers also look for work themselves. */
export abstract class WorkSignal {
  /** Never rejects. The payload is an id, never a secret. */
  abstract tell(topic: string, payload: string): Promise<void>;
}
