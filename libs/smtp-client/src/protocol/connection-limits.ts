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

/**
 * Limits the messages per minute to a site. It is a token bucket that holds the tokens of one second, at least one. The
 * rate is halved when the site refuses because of load, and raised by a quarter after every ten seconds' worth of
 * successful messages.
 */
export class RateLimit {
  #perMinute: number;
  #share = 1;
  #taken = 0;
  #tokens: number;
  #filledAt: number;
  #successes = 0;
  #narrowedAt = -Infinity;

  constructor(
    private max: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#perMinute = max;
    this.#tokens = this.#capacity;
    this.#filledAt = this.now();
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  get maxPerMinute(): number {
    return this.max;
  }

  /** Sets a new maximum and keeps a rate that is narrower. */
  setMax(perMinute: number): void {
    const isWide = this.#perMinute === this.max;
    this.max = perMinute;
    this.#perMinute = isWide ? perMinute : Math.min(perMinute, this.#perMinute);
  }

  /** The part of the rate that this process may use, from 0 to 1. Default: all. */
  set share(share: number) {
    this.#fill();
    this.#share = share;
    this.#tokens = Math.min(this.#tokens, this.#capacity);
  }

  /**
   * Takes one message. Returns 0 if it may be sent now. Otherwise returns the milliseconds after which to call again,
   * at most one second, since the share may change meanwhile.
   */
  take(): number {
    const wait = this.wait();
    if (wait > 0) return wait;
    this.#tokens--;
    this.#taken++;
    return 0;
  }

  /** The result that `take` would have, without taking. */
  wait(): number {
    this.#fill();
    if (this.#tokens >= 1) return 0;
    return Math.min(maxWaitMs, Math.ceil(((1 - this.#tokens) * minute) / this.#ownPerMinute));
  }

  /** Number of messages taken since the last call. */
  countTaken(): number {
    const taken = this.#taken;
    this.#taken = 0;
    return taken;
  }

  narrow(): void {
    this.#successes = 0;
    // Messages that were under way when the rate fell may still be refused. These refusals count as the same one.
    if (this.now() - this.#narrowedAt < settleMs) return;
    this.#narrowedAt = this.now();
    this.#fill();
    this.#perMinute = Math.max(Math.min(minPerMinute, this.max), Math.floor(this.#perMinute / 2));
    this.#tokens = Math.min(this.#tokens, this.#capacity);
  }

  succeeded(): void {
    if (this.#perMinute === this.max || ++this.#successes < Math.max(minSuccesses, this.#perMinute / 6)) return;
    this.#successes = 0;
    this.#fill();
    this.#perMinute = Math.min(this.max, Math.ceil(this.#perMinute * 1.25));
  }

  get #ownPerMinute(): number {
    return this.#perMinute * this.#share;
  }

  get #capacity(): number {
    return Math.max(1, this.#ownPerMinute / 60);
  }

  #fill(): void {
    const now = this.now();
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#filledAt) * this.#ownPerMinute) / minute);
    this.#filledAt = now;
  }
}

const minute = 60_000;
const settleMs = 1_000;
const maxWaitMs = 1_000;
/** Minimum rate of a site that takes any mail, in messages per minute. */
const minPerMinute = 6;
const minSuccesses = 5;

const maxFactor = 16;

/**
 * Determines how long no connection is tried after a failure. The time doubles with each failure in a row, up to 16
 * times.
 */
export class BackOff {
  #failuresInARow = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly firstMs: number,
    private readonly onOver: () => void,
  ) {}

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  failed(): void {
    if (this.#timer !== undefined) return;
    const factor = Math.min(2 ** this.#failuresInARow++, maxFactor);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.onOver();
    }, this.firstMs * factor);
  }

  succeeded(): void {
    this.#failuresInARow = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
