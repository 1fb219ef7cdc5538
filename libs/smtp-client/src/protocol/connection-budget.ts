/** A pool that opens connections from a shared budget. */
export interface BudgetMember {
  /** Connections that are open and not about to end. */
  readonly openConnections: number;
  /** Called when there may be room for another connection. */
  roomAppeared(): void;
  /** Makes up to `count` connections end after their present message. Returns how many. */
  shed(count: number): number;
  /** Ends one idle connection, if there is one. */
  shedIdle(): boolean;
}

/** Limits the total number of connections of several pools. */
export class ConnectionBudget {
  /** Members in the order of their turns. */
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

  /** Removes a member that has no connections any more. */
  leave(member: BudgetMember): void {
    this.#members.delete(member);
  }

  /** False if there is no room. Then an idle connection of another member ends, and `roomAppeared` follows. */
  take(member: BudgetMember): boolean {
    if (this.#taken < this.#limit) {
      this.#taken++;
      return true;
    }
    for (const other of this.#members) if (other !== member && other.shedIdle()) break;
    return false;
  }

  /** Returns a connection to the budget. The member has its next turn after all the others. */
  release(member: BudgetMember): void {
    this.#taken--;
    if (this.#members.delete(member)) this.#members.add(member);
    this.#offer();
  }

  /** If the new limit is lower, the excess connections end after their present message. */
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
