const windowMs = 60_000;
const maxAddresses = 10_000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** Limits the messages that one client sends in a minute. */
export class VisitRate {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly maxPerMinute: number) {}

  /** False if the limit is exceeded. */
  take(address: string, nowMs: number): boolean {
    const window = this.windows.get(address);
    if (window !== undefined && nowMs - window.startedAt < windowMs) return ++window.count <= this.maxPerMinute;
    // Deleted first, so that the map is ordered by the start of the window and the oldest entry is removed first.
    this.windows.delete(address);
    this.windows.set(address, { startedAt: nowMs, count: 1 });
    if (this.windows.size > maxAddresses) this.windows.delete(this.windows.keys().next().value as string);
    return true;
  }
}
