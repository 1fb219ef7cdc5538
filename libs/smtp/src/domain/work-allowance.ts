export interface WorkLimits {
  /** CPU that one owner may cost while others want none, in ms a second. */
  readonly perOwner: number;
  /**
   * CPU that all owners over their burst may cost together, in ms a second, shared evenly. The others do not wait; together
   * they work off as much again, so that many owners who stay just within their bursts are bounded, too.
   */
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
/** Accounts looked at with each charge, so that no call takes long. */
const looksPerCharge = 2;

/**
 * Charges owners for the CPU that they cost, by a list of prices, and tells how long one has to wait before the service
 * does more for it. Nothing is refused: an owner who costs too much becomes slow.
 */
export class WorkAllowance {
  private readonly accounts = new Map<string, Account>();
  /** Those over their burst when they were looked at last. */
  private readonly overdrawn = new Map<string, Account>();

  constructor(private readonly limits: WorkLimits) {}

  /**
   * Returns the time until the owner is within its burst again if nothing changes, in ms. The share of each grows and
   * shrinks with the number of owners who wait: who waits for long asks again with `waitMs`.
   */
  charge(owner: string, costMs: number, nowMs: number): number {
    const account = this.accounts.get(owner) ?? { owedMs: 0, at: nowMs };
    this.payOff(account, nowMs);
    account.owedMs += costMs;
    // Deleted first, so that the map's order is that of the last work and the oldest goes first.
    this.accounts.delete(owner);
    this.accounts.set(owner, account);
    this.sort(owner, account);
    this.forgetOldest(nowMs);
    this.sortOldest(nowMs);
    return (this.beyondBurst(account) * 1_000) / this.shareOf(this.overdrawn.size);
  }

  waitMs(owner: string, nowMs: number): number {
    return this.charge(owner, 0, nowMs);
  }

  /** The work turned out to be worth it. */
  refund(owner: string, costMs: number): void {
    const account = this.accounts.get(owner);
    if (account === undefined) return;
    account.owedMs = Math.max(0, account.owedMs - costMs);
    this.sort(owner, account);
  }

  /** What is beyond the burst at the rate of those who wait, and the rest at that of those who do not. */
  private payOff(account: Account, nowMs: number): void {
    const elapsedMs = nowMs - account.at;
    account.at = nowMs;
    const beyondMs = this.beyondBurst(account);
    const rate = this.shareOf(this.overdrawn.size) / 1_000;
    if (elapsedMs * rate < beyondMs) {
      account.owedMs -= elapsedMs * rate;
    } else {
      const paidMs = ((elapsedMs - beyondMs / rate) * this.shareOf(this.accounts.size)) / 1_000;
      account.owedMs = Math.max(0, account.owedMs - beyondMs - paidMs);
    }
  }

  private beyondBurst({ owedMs }: Account): number {
    return Math.max(0, owedMs - this.limits.burstMs);
  }

  /** In ms a second. */
  private shareOf(owners: number): number {
    return Math.min(this.limits.perOwner, this.limits.together / Math.max(1, owners));
  }

  private sort(owner: string, account: Account): void {
    this.overdrawn.delete(owner);
    if (this.beyondBurst(account) > 0) this.overdrawn.set(owner, account);
  }

  /** Who has left, and has paid by the passing of time, takes no share from those who wait. */
  private sortOldest(nowMs: number): void {
    for (let count = 0; count < looksPerCharge; count++) {
      const [oldest] = this.overdrawn;
      if (oldest === undefined) return;
      const [owner, account] = oldest;
      this.payOff(account, nowMs);
      this.sort(owner, account);
    }
  }

  private forgetOldest(nowMs: number): void {
    for (let count = 0; count < looksPerCharge; count++) {
      const [oldest] = this.accounts;
      if (oldest === undefined) return;
      const [owner, account] = oldest;
      const isEarlier = account.at < nowMs;
      this.payOff(account, nowMs);
      const isSettled = isEarlier && account.owedMs === 0;
      if (!isSettled && this.accounts.size <= maxAccounts) return;
      this.accounts.delete(owner);
      this.overdrawn.delete(owner);
    }
  }
}
