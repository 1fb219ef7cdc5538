const windowMs = 60_000;
const maxInWindow = 600;
const maxAddresses = 10_000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** How many messages one client brings in a minute. Large providers send their reports from few addresses: it is much. */
export class VisitRate {
  private readonly windows = new Map<string, Window>();

  /** False where it was one too many. */
  take(address: string, nowMs: number): boolean {
    const window = this.windows.get(address);
    if (window !== undefined && nowMs - window.startedAt < windowMs) return ++window.count <= maxInWindow;
    // Deleted first, so that the map's order is that of the beginnings and the oldest goes first.
    this.windows.delete(address);
    this.windows.set(address, { startedAt: nowMs, count: 1 });
    if (this.windows.size > maxAddresses) this.windows.delete(this.windows.keys().next().value as string);
    return true;
  }
}
