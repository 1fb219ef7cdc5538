export interface WorkLimits {
  /** CPU that one owner may cost while others want none, in ms a second. */
  readonly perOwner: number;
  /** CPU that all owners together may cost, in ms a second: owners who are over their burst share it evenly. */
  readonly together: number;
  /** CPU that an owner may cost before it has to wait at all, in ms. */
  readonly burstMs: number;
}

interface Account {
  /** Work that has not been paid off by the passing of time, in ms. */
  owedMs: number;
  at: number;
}

/** Beyond it the accounts that owe least recently are forgotten. */
const maxAccounts = 10_000;

/**
 * Charges owners for the CPU that they cost, by a list of prices, and tells how long one has to wait before the service
 * does more for it. Nothing is refused: an owner who costs too much becomes slow.
 */
export class WorkAllowance {
  private readonly accounts = new Map<string, Account>();

  constructor(private readonly limits: WorkLimits) {}

  /** Returns the time until the owner is within its allowance again, in ms. */
  charge(owner: string, costMs: number, nowMs: number): number {
    const account = this.accounts.get(owner) ?? { owedMs: 0, at: nowMs };
    const paidMs = ((nowMs - account.at) * this.ratePerSecond()) / 1_000;
    account.owedMs = Math.max(0, account.owedMs - paidMs) + costMs;
    account.at = nowMs;
    // Deleted first, so that the map's order is that of the last work and the oldest goes first.
    this.accounts.delete(owner);
    this.accounts.set(owner, account);
    this.forgetOldest(nowMs);
    return (Math.max(0, account.owedMs - this.limits.burstMs) * 1_000) / this.ratePerSecond();
  }

  /** The work turned out to be worth it. */
  refund(owner: string, costMs: number): void {
    const account = this.accounts.get(owner);
    if (account !== undefined) account.owedMs = Math.max(0, account.owedMs - costMs);
  }

  private ratePerSecond(): number {
    return Math.min(this.limits.perOwner, this.limits.together / Math.max(1, this.accounts.size));
  }

  /** At most two for each that comes, so that no call takes long. */
  private forgetOldest(nowMs: number): void {
    for (let count = 0; count < 2; count++) {
      const [oldest] = this.accounts;
      if (oldest === undefined) return;
      const [owner, { owedMs, at }] = oldest;
      const isSettled = ((nowMs - at) * this.ratePerSecond()) / 1_000 >= owedMs && nowMs > at;
      if (!isSettled && this.accounts.size <= maxAccounts) return;
      this.accounts.delete(owner);
    }
  }
}
