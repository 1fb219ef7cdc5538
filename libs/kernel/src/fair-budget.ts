import { BudgetShare, HeldShare } from './budget-share.js';
import { changeCount, Patience, takeWithin } from './slots.js';

export interface FairBudgetOptions {
  /** Amount that all shares together may hold. A single larger request gets the whole budget alone. */
  readonly total: number;
  /** Amount that one owner may hold at once. An owner that holds nothing may exceed it with a single request. */
  readonly maxPerOwner: number;
}

interface Request {
  readonly amount: number;
  /** Amount that was granted to others while this request was the first that did not fit. */
  passed: number;
  readonly grant: (share: BudgetShare) => void;
}

/** Requests of the same owners, first come, first served. Only the first one is admitted or parked. */
interface Line {
  readonly owners: readonly string[];
  readonly requests: Request[];
  /**
   * The owner whose share is full. Undefined if the first request is already charged to its owners and waits for its
   * turn.
   */
  parkedAt: string | undefined;
}

/** Maximum number of requests that one call skips because they do not fit. It bounds the time of the call. */
const maxSkipped = 64;

/**
 * Bounds an amount that is held at once, and shares it fairly among owners: teams, lanes, addresses. The amount is
 * bytes of memory, or a number of places; whoever makes the budget says which.
 *
 * A request passes two gates. The first gate is the share of each of its owners: a request that exceeds a share is
 * parked with that owner and delays no other owner. After the first gate, the request is charged to its owners and
 * waits for its turn at the second gate, where lines take turns, one request each. At both gates, smaller requests pass
 * a request that does not fit, until their sum is its own size. Then no request passes it, so a large request waits for
 * a bounded amount.
 *
 * A caller limits its waiting time with a `Patience` or a signal. It limits the time for which it holds a share by itself.
 */
export class FairBudget {
  private held = 0;
  private readonly charged = new Map<string, number>();
  private readonly lines = new Map<string, Line>();
  /** Lines whose first request waits for its turn, in the order of their turns. */
  private readonly turns = new Set<Line>();
  /** By owner: lines whose first request waits until the owner releases amount, first come, first served. */
  private readonly parked = new Map<string, Set<Line>>();

  constructor(private readonly options: FairBudgetOptions) {}

  get used(): number {
    return this.held;
  }

  /** Whether a request waits, for the budget or for its owner. */
  get isContended(): boolean {
    return this.lines.size > 0;
  }

  /**
   * Resolves when the amount is granted. All `owners` are charged, and each of them must be within its maximum. Rejects
   * with the reason of the signal when it is aborted first.
   */
  async take(owners: readonly string[], amount: number, signal?: AbortSignal): Promise<BudgetShare> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const line = this.lineOf(owners);
      const request: Request = { amount, passed: 0, grant: granted };
      const giveUp = (): void => {
        this.withdraw(line, request);
        reject(signal?.reason as Error);
      };
      function granted(share: BudgetShare): void {
        signal?.removeEventListener('abort', giveUp);
        resolve(share);
      }
      signal?.addEventListener('abort', giveUp, { once: true });
      line.requests.push(request);
      if (line.requests.length === 1) this.admitOrPark(line);
      this.serve();
    });
  }

  /** Grants the amount immediately. Returns undefined if another request waits, or if this one would have to wait. */
  takeAtOnce(owners: readonly string[], amount: number): BudgetShare | undefined {
    const isFirst = this.turns.size === 0 && !this.lines.has(owners.join('\n'));
    if (!isFirst || !this.fits(amount) || this.fullOwner(owners, amount) !== undefined) return undefined;
    this.passParked(owners, amount);
    this.charge(owners, amount);
    return this.shareOf(owners, amount);
  }

  /** As `take`, within the caller's patience. Needs no timer where the amount can be granted at once. */
  async hold(owners: readonly string[], amount: number, patience?: Patience): Promise<BudgetShare> {
    const share = this.takeAtOnce(owners, amount);
    if (share !== undefined) return share;
    if (patience === undefined) return this.take(owners, amount);
    return takeWithin(patience, (signal) => this.take(owners, amount, signal));
  }

  /** Holds the amount while the work is being done. */
  async during<Result>(
    owners: readonly string[],
    amount: number,
    work: () => Promise<Result>,
    patience?: Patience,
  ): Promise<Result> {
    const share = await this.hold(owners, amount, patience);
    try {
      return await work();
    } finally {
      share.release();
    }
  }

  private lineOf(owners: readonly string[]): Line {
    const key = owners.join('\n');
    const line = this.lines.get(key) ?? { owners, requests: [], parkedAt: undefined };
    this.lines.set(key, line);
    return line;
  }

  /** The first gate. Returns whether the first request of the line is within the shares of its owners now. */
  private admitOrPark(line: Line): boolean {
    const [{ amount }] = line.requests as [Request];
    const fullOwner = this.fullOwner(line.owners, amount, line);
    if (fullOwner === undefined) this.passParked(line.owners, amount, line);
    if (fullOwner !== line.parkedAt) this.unpark(line);
    if (fullOwner !== undefined) {
      this.park(line, fullOwner);
      return false;
    }
    this.charge(line.owners, amount);
    this.turns.add(line);
    return true;
  }

  /** The first owner without room for the amount, or whose first parked request must not be passed any more. */
  private fullOwner(owners: readonly string[], amount: number, line?: Line): string | undefined {
    return owners.find((owner) => {
      if (!this.isWithinShare(owner, amount)) return true;
      const first = this.firstParked(owner);
      return first !== undefined && first !== line && !mayPass(first, amount);
    });
  }

  private isWithinShare(owner: string, amount: number): boolean {
    const charged = this.charged.get(owner);
    return charged === undefined || charged + amount <= this.options.maxPerOwner;
  }

  private firstParked(owner: string): Line | undefined {
    return this.parked.get(owner)?.values().next().value;
  }

  private passParked(owners: readonly string[], amount: number, line?: Line): void {
    for (const owner of owners) {
      const first = this.firstParked(owner);
      if (first !== undefined && first !== line) (first.requests[0] as Request).passed += amount;
    }
  }

  private park(line: Line, owner: string): void {
    line.parkedAt = owner;
    const lines = this.parked.get(owner) ?? new Set();
    this.parked.set(owner, lines.add(line));
  }

  private unpark(line: Line): void {
    if (line.parkedAt === undefined) return;
    const lines = this.parked.get(line.parkedAt);
    lines?.delete(line);
    if (lines?.size === 0) this.parked.delete(line.parkedAt);
    line.parkedAt = undefined;
  }

  /** Admits the requests that waited for these owners, as far as they have room. */
  private admitParked(owners: readonly string[]): void {
    for (const owner of owners) {
      let skipped = 0;
      for (const line of this.parked.get(owner) ?? []) {
        // A line that moves to another owner hides nothing here, so it does not count.
        if (!this.admitOrPark(line) && line.parkedAt === owner && ++skipped === maxSkipped) break;
      }
    }
  }

  /** The second gate: grants requests in the order of the turns, as far as the total allows. */
  private serve(): void {
    let blocked: Line | undefined;
    let skipped = 0;
    for (const line of this.turns) {
      const [{ amount }] = line.requests as [Request];
      if (blocked !== undefined && !mayPass(blocked, amount)) return;
      if (this.fits(amount)) {
        if (blocked !== undefined) (blocked.requests[0] as Request).passed += amount;
        this.grantFirst(line);
      } else {
        blocked ??= line;
        if (++skipped === maxSkipped) return;
      }
    }
  }

  private fits(amount: number): boolean {
    return this.held === 0 || this.held + amount <= this.options.total;
  }

  private grantFirst(line: Line): void {
    const request = line.requests.shift() as Request;
    this.turns.delete(line);
    this.goOn(line);
    request.grant(this.shareOf(line.owners, request.amount));
  }

  /** Admits or parks the next request of a line whose first request has been removed. Removes an empty line. */
  private goOn(line: Line): void {
    if (line.requests.length > 0) this.admitOrPark(line);
    else this.lines.delete(line.owners.join('\n'));
  }

  /** Makes the share for an amount that is already charged to their owners. */
  private shareOf(owners: readonly string[], amount: number): BudgetShare {
    this.held += amount;
    return new HeldShare(amount, owners, this);
  }

  /** Whether a request waits that may be served once these owners release something. */
  isInDemandOf(owners: readonly string[]): boolean {
    return this.turns.size > 0 || (this.parked.size > 0 && owners.some((owner) => this.parked.has(owner)));
  }

  /** Called by the share itself, once. */
  giveBack(owners: readonly string[], amount: number): void {
    this.held -= amount;
    this.charge(owners, -amount);
    this.admitParked(owners);
    this.serve();
  }

  private charge(owners: readonly string[], amount: number): void {
    for (const owner of owners) changeCount(this.charged, owner, amount);
  }

  private withdraw(line: Line, request: Request): void {
    const index = line.requests.indexOf(request);
    line.requests.splice(index, 1);
    if (index > 0) return;
    this.unpark(line);
    if (this.turns.delete(line)) this.charge(line.owners, -request.amount);
    this.goOn(line);
    this.admitParked(line.owners);
    this.serve();
  }
}

/** Whether a request of this amount may be served before the first request of `line`, which does not fit. */
function mayPass(line: Line, amount: number): boolean {
  const [first] = line.requests as [Request];
  return first.passed + amount <= first.amount;
}
