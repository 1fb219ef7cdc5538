interface Window {
  count: number;
  readonly endsAt: number;
}

/** Counts attempts by key in fixed windows, with bounded memory: the oldest windows give way to new ones. */
export class AttemptCounters {
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly options: { readonly max: number; readonly windowMs: number; readonly maxKeys: number },
  ) {}

  /** Counts an attempt. Returns the whole seconds until the window ends if it was one too many, otherwise undefined. */
  take(key: string, now: number): number | undefined {
    const window = this.current(key, now);
    if (window.count >= this.options.max) return Math.ceil((window.endsAt - now) / 1_000);
    window.count++;
    return undefined;
  }

  /** Takes an attempt back that turned out to be no guess. */
  giveBack(key: string): void {
    const window = this.windows.get(key);
    if (window !== undefined && window.count > 0) window.count--;
  }

  private current(key: string, now: number): Window {
    const known = this.windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    this.windows.delete(key);
    const [oldest] = this.windows.keys();
    if (this.windows.size >= this.options.maxKeys && oldest !== undefined) this.windows.delete(oldest);
    const window = { count: 0, endsAt: now + this.options.windowMs };
    this.windows.set(key, window);
    return window;
  }
}
