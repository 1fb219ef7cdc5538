import { BudgetShare, HeldShare } from './budget-share.js';

export interface FairBudgetOptions {
  /** Bytes that all shares together may hold. A single larger request gets the whole budget alone. */
  readonly totalBytes: number;
  /** Bytes that one owner may hold at once. An owner that holds nothing may exceed it with a single request. */
  readonly maxBytesPerOwner: number;
}

interface Request {
  readonly bytes: number;
  /** Bytes that were granted to others while this request was the first that did not fit. */
  passedBytes: number;
  readonly grant: (share: BudgetShare) => void;
}

/** Requests of the same owners, first come, first served. Only the first one is admitted or parked. */
interface Line {
  readonly owners: readonly string[];
  readonly requests: Request[];
  /** The owner whose share is full. Undefined if the first request is already charged to its owners and waits for memory only. */
  parkedAt: string | undefined;
}

/** Maximum number of requests that one call skips because they do not fit. It bounds the time of the call. */
const maxSkipped = 64;

/**
 * Bounds how many bytes are held in memory at once and shares them fairly among owners: teams, lanes, addresses.
 *
 * A request passes two gates. The first gate is the share of each of its owners: a request that exceeds a share is parked with
 * that owner and delays no other owner. After the first gate, the request is charged to its owners and waits for memory at the
 * second gate, where lines take turns, one request each. At both gates, smaller requests pass a request that does not fit,
 * until their sum is its own size. Then no request passes it, so a large request waits for a bounded number of bytes.
 *
 * A caller limits its waiting time with `signal`. It limits the time for which it holds a share by itself.
 */
export class FairBudget {
  private used = 0;
  private readonly charged = new Map<string, number>();
  private readonly lines = new Map<string, Line>();
  /** Lines whose first request waits for memory only, in the order of their turns. */
  private readonly turns = new Set<Line>();
  /** By owner: lines whose first request waits until the owner releases bytes, first come, first served. */
  private readonly parked = new Map<string, Set<Line>>();

  constructor(private readonly options: FairBudgetOptions) {}

  get usedBytes(): number {
    return this.used;
  }

  /** Whether a request waits, for memory or for its owner to release bytes. */
  get isContended(): boolean {
    return this.lines.size > 0;
  }

  /**
   * Resolves when the bytes are granted. All `owners` are charged, and each of them must be within its maximum. Rejects
   * with the reason of the signal when it is aborted first.
   */
  async take(owners: readonly string[], bytes: number, signal?: AbortSignal): Promise<BudgetShare> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const line = this.lineOf(owners);
      const request: Request = { bytes, passedBytes: 0, grant: granted };
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

  /** Grants the bytes immediately. Returns undefined if another request waits, or if this one would have to wait. */
  takeAtOnce(owners: readonly string[], bytes: number): BudgetShare | undefined {
    const isFirst = this.turns.size === 0 && !this.lines.has(owners.join('\n'));
    if (!isFirst || !this.fits(bytes) || this.fullOwner(owners, bytes) !== undefined) return undefined;
    this.passParked(owners, bytes);
    this.charge(owners, bytes);
    return this.shareOf(owners, bytes);
  }

  private lineOf(owners: readonly string[]): Line {
    const key = owners.join('\n');
    const line = this.lines.get(key) ?? { owners, requests: [], parkedAt: undefined };
    this.lines.set(key, line);
    return line;
  }

  /** The first gate. Returns whether the first request of the line is within the shares of its owners now. */
  private admitOrPark(line: Line): boolean {
    const [{ bytes }] = line.requests as [Request];
    const fullOwner = this.fullOwner(line.owners, bytes, line);
    if (fullOwner === undefined) this.passParked(line.owners, bytes, line);
    if (fullOwner !== line.parkedAt) this.unpark(line);
    if (fullOwner !== undefined) {
      this.park(line, fullOwner);
      return false;
    }
    this.charge(line.owners, bytes);
    this.turns.add(line);
    return true;
  }

  /** The first owner without room for the bytes, or whose first parked request must not be passed any more. */
  private fullOwner(owners: readonly string[], bytes: number, line?: Line): string | undefined {
    return owners.find((owner) => {
      if (!this.isWithinShare(owner, bytes)) return true;
      const first = this.firstParked(owner);
      return first !== undefined && first !== line && !mayPass(first, bytes);
    });
  }

  private isWithinShare(owner: string, bytes: number): boolean {
    const charged = this.charged.get(owner);
    return charged === undefined || charged + bytes <= this.options.maxBytesPerOwner;
  }

  private firstParked(owner: string): Line | undefined {
    return this.parked.get(owner)?.values().next().value;
  }

  private passParked(owners: readonly string[], bytes: number, line?: Line): void {
    for (const owner of owners) {
      const first = this.firstParked(owner);
      if (first !== undefined && first !== line) (first.requests[0] as Request).passedBytes += bytes;
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

  /** The second gate: grants requests in the order of the turns, as far as there is memory. */
  private serve(): void {
    let blocked: Line | undefined;
    let skipped = 0;
    for (const line of this.turns) {
      const [{ bytes }] = line.requests as [Request];
      if (blocked !== undefined && !mayPass(blocked, bytes)) return;
      if (this.fits(bytes)) {
        if (blocked !== undefined) (blocked.requests[0] as Request).passedBytes += bytes;
        this.grantFirst(line);
      } else {
        blocked ??= line;
        if (++skipped === maxSkipped) return;
      }
    }
  }

  private fits(bytes: number): boolean {
    return this.used === 0 || this.used + bytes <= this.options.totalBytes;
  }

  private grantFirst(line: Line): void {
    const request = line.requests.shift() as Request;
    this.turns.delete(line);
    this.goOn(line);
    request.grant(this.shareOf(line.owners, request.bytes));
  }

  /** Admits or parks the next request of a line whose first request has been removed. Removes an empty line. */
  private goOn(line: Line): void {
    if (line.requests.length > 0) this.admitOrPark(line);
    else this.lines.delete(line.owners.join('\n'));
  }

  /** Makes the share for bytes that are already charged to their owners. */
  private shareOf(owners: readonly string[], bytes: number): BudgetShare {
    this.used += bytes;
    return new HeldShare(bytes, owners, this);
  }

  /** Whether a request waits that may be served once these owners release bytes. */
  isInDemandOf(owners: readonly string[]): boolean {
    return this.turns.size > 0 || (this.parked.size > 0 && owners.some((owner) => this.parked.has(owner)));
  }

  /** Called by the share itself, once. */
  giveBack(owners: readonly string[], bytes: number): void {
    this.used -= bytes;
    this.charge(owners, -bytes);
    this.admitParked(owners);
    this.serve();
  }

  private charge(owners: readonly string[], bytes: number): void {
    for (const owner of owners) {
      const charged = (this.charged.get(owner) ?? 0) + bytes;
      if (charged === 0) this.charged.delete(owner);
      else this.charged.set(owner, charged);
    }
  }

  private withdraw(line: Line, request: Request): void {
    const index = line.requests.indexOf(request);
    line.requests.splice(index, 1);
    if (index > 0) return;
    this.unpark(line);
    if (this.turns.delete(line)) this.charge(line.owners, -request.bytes);
    this.goOn(line);
    this.admitParked(line.owners);
    this.serve();
  }
}

/** Whether a request of `bytes` bytes may be served before the first request of `line`, which does not fit. */
function mayPass(line: Line, bytes: number): boolean {
  const [first] = line.requests as [Request];
  return first.passedBytes + bytes <= first.bytes;
}
