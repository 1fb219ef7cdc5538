/** An amount that was granted. It counts against the budget until it is released. */
export interface BudgetShare {
  readonly amount: number;
  /**
   * Whether another request waits that may be served once this share is released. A holder without progress should then
   * give up.
   */
  readonly isInDemand: boolean;
  /** Gives it back. A second call does nothing. */
  release(): void;
}

/** The part of a budget that its shares call. */
interface Giver {
  isInDemandOf(owners: readonly string[]): boolean;
  giveBack(owners: readonly string[], amount: number): void;
}

/** A class, because an object literal with an accessor costs 3 us to make, and each email takes several shares. */
export class HeldShare implements BudgetShare {
  private isHeld = true;

  constructor(
    readonly amount: number,
    private readonly owners: readonly string[],
    private readonly budget: Giver,
  ) {}

  get isInDemand(): boolean {
    return this.isHeld && this.budget.isInDemandOf(this.owners);
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.budget.giveBack(this.owners, this.amount);
  }
}
