import {
  AttemptCounts,
  CountedAttempt,
  CountedWindow,
} from '../../../libs/accounts/src/application/ports/attempt-counts.port.js';

export class InMemoryAttemptCounts extends AttemptCounts {
  private readonly windows = new Map<string, { count: number; readonly endsAt: number }>();

  async add(
    { kind, key }: CountedAttempt,
    { max, ms }: { max: number; ms: number },
    now: Date,
  ): Promise<CountedWindow> {
    const known = this.windows.get(`${kind} ${key}`);
    const window =
      known !== undefined && known.endsAt > now.getTime() ? known : { count: 0, endsAt: now.getTime() + ms };
    window.count = Math.min(window.count + 1, max + 1);
    this.windows.set(`${kind} ${key}`, window);
    return { count: window.count, endsAt: new Date(window.endsAt) };
  }

  async giveBack({ kind, key }: CountedAttempt): Promise<void> {
    const known = this.windows.get(`${kind} ${key}`);
    if (known !== undefined && known.count > 0) known.count--;
  }
}
