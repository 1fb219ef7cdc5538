/** Bytes that were granted. They count against the budget until they are released. */
export interface BudgetShare {
  readonly bytes: number;
  /** Whether another request waits that may be served once these bytes are released. A holder without progress should then give up. */
  readonly isInDemand: boolean;
  /** Returns the bytes. A second call does nothing. */
  release(): void;
}

/** The part of a budget that its shares call. */
interface Giver {
  isInDemandOf(owners: readonly string[]): boolean;
  giveBack(owners: readonly string[], bytes: number): void;
}

/** A class, because an object literal with an accessor costs 3 us to make, and each email takes several shares. */
export class HeldShare implements BudgetShare {
  private isHeld = true;

  constructor(
    readonly bytes: number,
    private readonly owners: readonly string[],
    private readonly budget: Giver,
  ) {}

  get isInDemand(): boolean {
    return this.isHeld && this.budget.isInDemandOf(this.owners);
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.budget.giveBack(this.owners, this.bytes);
  }
}
