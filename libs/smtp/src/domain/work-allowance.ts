export interface WorkLimits {
  /** CPU that one owner may use while others need none, in ms per second. */
  readonly perOwner: number;
  /**
   * CPU that all owners over their burst may use together, in ms per second, shared evenly. The other owners do not
   * wait. Their debts are reduced at the same total rate, so that many owners who stay just within their bursts are
   * bounded, too.
   */
  readonly together: number;
  /** CPU that an owner may use before it has to wait, in ms. */
  readonly burstMs: number;
}

interface Account {
  /** CPU used that has not yet been compensated by waiting, in ms. */
  debtMs: number;
  at: number;
}

/** Beyond this number the accounts that were used least recently are removed. */
const maxAccounts = 10_000;
/** Accounts examined with each charge, so that no call takes long. */
const looksPerCharge = 2;

/**
 * Charges owners for the CPU that they use, by a list of prices, and returns how long an owner must wait before the
 * service does more for it. Nothing is refused: an owner that uses too much becomes slow.
 */
export class WorkAllowance {
  private readonly accounts = new Map<string, Account>();
  /** The accounts that were over their burst when they were last examined. */
  private readonly overdrawn = new Map<string, Account>();

  constructor(private readonly limits: WorkLimits) {}

  /**
   * Returns the time until the owner is within its burst again if nothing changes, in ms. The share of each owner
   * changes with the number of owners that wait, so a caller that waits for long calls `waitMs` again.
   */
  charge(owner: string, costMs: number, nowMs: number): number {
    const account = this.accounts.get(owner) ?? { debtMs: 0, at: nowMs };
    this.payOff(account, nowMs);
    account.debtMs += costMs;
    // Deleted first, so that the map is ordered by the last charge and the oldest entry is removed first.
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

  /** Cancels a charge, because the work led to an accepted message. */
  refund(owner: string, costMs: number): void {
    const account = this.accounts.get(owner);
    if (account === undefined) return;
    account.debtMs = Math.max(0, account.debtMs - costMs);
    this.sort(owner, account);
  }

  /**
   * Reduces the debt: the part beyond the burst at the rate of owners that wait, the rest at the rate of all owners.
   */
  private payOff(account: Account, nowMs: number): void {
    const elapsedMs = nowMs - account.at;
    account.at = nowMs;
    const beyondMs = this.beyondBurst(account);
    const rate = this.shareOf(this.overdrawn.size) / 1_000;
    if (elapsedMs * rate < beyondMs) {
      account.debtMs -= elapsedMs * rate;
    } else {
      const paidMs = ((elapsedMs - beyondMs / rate) * this.shareOf(this.accounts.size)) / 1_000;
      account.debtMs = Math.max(0, account.debtMs - beyondMs - paidMs);
    }
  }

  private beyondBurst({ debtMs }: Account): number {
    return Math.max(0, debtMs - this.limits.burstMs);
  }

  /** In ms per second. */
  private shareOf(owners: number): number {
    return Math.min(this.limits.perOwner, this.limits.together / Math.max(1, owners));
  }

  private sort(owner: string, account: Account): void {
    this.overdrawn.delete(owner);
    if (this.beyondBurst(account) > 0) this.overdrawn.set(owner, account);
  }

  /** An owner that is within its burst again takes no share from the owners that wait. */
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
      const isSettled = isEarlier && account.debtMs === 0;
      if (!isSettled && this.accounts.size <= maxAccounts) return;
      this.accounts.delete(owner);
      this.overdrawn.delete(owner);
    }
  }
}

/** The share of an owner grows when others leave, so it is read again after this time. */
const maxSleepMs = 1_000;

interface Waiting {
  readonly isGone: () => boolean;
  /** Called once, unless the client is gone then. */
  readonly goOn: () => void;
}

/**
 * Waits until an owner over its allowance is within it again, at most `waitMs`. The client does not wait for work that
 * others of the same owner cause in the meantime.
 */
export function waitForWork(work: WorkAllowance, owner: string, waitMs: number, waiting: Waiting): void {
  const until = performance.now() + waitMs;
  const look = (): void => {
    if (waiting.isGone()) return;
    const now = performance.now();
    const restMs = Math.min(until - now, work.waitMs(owner, now));
    if (restMs <= 0) waiting.goOn();
    else setTimeout(look, Math.min(restMs, maxSleepMs));
  };
  setTimeout(look, Math.min(waitMs, maxSleepMs));
}
