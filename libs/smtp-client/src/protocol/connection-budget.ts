/** Somebody who opens connections out of a budget. */
export interface BudgetMember {
  /** Connections that are open and not about to end. */
  readonly openConnections: number;
  /** There may be room for another connection. */
  roomAppeared(): void;
  /** Has up to so many connections end with the message that they have; answers how many. */
  shed(count: number): number;
  /** Ends a connection that has nothing to do, if there is one. */
  shedIdle(): boolean;
}

/** How many connections several pools may have together. */
export class ConnectionBudget {
  /** In the order of their turns. */
  readonly #members = new Set<BudgetMember>();
  #taken = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  get limit(): number {
    return this.#limit;
  }

  get isExhausted(): boolean {
    return this.#taken >= this.#limit;
  }

  get openConnections(): number {
    let open = 0;
    for (const member of this.#members) open += member.openConnections;
    return open;
  }

  join(member: BudgetMember): void {
    this.#members.add(member);
  }

  /** Of a member that has no connections any more. */
  leave(member: BudgetMember): void {
    this.#members.delete(member);
  }

  /** False where there is no room; then another's idle connection ends, and `roomAppeared` follows. */
  take(member: BudgetMember): boolean {
    if (this.#taken < this.#limit) {
      this.#taken++;
      return true;
    }
    for (const other of this.#members) if (other !== member && other.shedIdle()) break;
    return false;
  }

  /** Whoever gives back has its next turn after all the others. */
  giveBack(member: BudgetMember): void {
    this.#taken--;
    if (this.#members.delete(member)) this.#members.add(member);
    this.#offer();
  }

  /** Connections beyond a lower limit end with the message that they have. */
  setLimit(limit: number): void {
    this.#limit = Math.max(1, limit);
    let excess = this.openConnections - this.#limit;
    for (const member of this.#members) if (excess > 0) excess -= member.shed(excess);
    this.#offer();
  }

  #offer(): void {
    for (const member of [...this.#members]) if (this.#taken < this.#limit) member.roomAppeared();
  }
}
