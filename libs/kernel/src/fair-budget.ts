export interface FairBudgetOptions {
  /** Bytes that all shares together may hold. A single larger request gets the whole budget alone. */
  readonly totalBytes: number;
  /** Bytes that one owner may hold at once. An owner that holds nothing may exceed it with a single request. */
  readonly maxBytesPerOwner: number;
}

/** Bytes that were granted. They count until they are released. */
export interface BudgetShare {
  readonly bytes: number;
  /** Whether somebody waits who may be served once these bytes are released. A holder without progress should then give up. */
  readonly isInDemand: boolean;
  /** Returns the bytes. A second call does nothing. */
  release(): void;
}

interface Request {
  readonly bytes: number;
  /** Bytes that went to others while this request was the first that did not fit. */
  passedBytes: number;
  readonly grant: (share: BudgetShare) => void;
}

/** Requests of the same owners, first come, first served. Only the first one is ever admitted or parked. */
interface Line {
  readonly owners: readonly string[];
  readonly requests: Request[];
  /** The owner whose share is full. Undefined where the first request is charged to its owners and waits for memory only. */
  parkedAt: string | undefined;
}

/** Requests that do not fit and are looked past in one go, so that a call takes bounded time however many wait. */
const maxSkipped = 64;

/**
 * Bounds how many bytes are held in memory at once and shares them fairly among owners: teams, lanes, addresses.
 *
 * A request passes two gates. The first is the share of each of its owners: a request beyond it is parked with that owner and
 * is in nobody else's way. Behind it the request is charged to its owners and waits for memory, where lines take turns, one
 * request each. At both gates smaller requests pass one that does not fit, until these amount to its own size; from then on
 * nobody passes it, so that a large request waits for a bounded number of bytes and not for ever.
 *
 * A caller bounds its waiting with `signal`, and its holding with a clock of its own.
 */
export class FairBudget {
  private used = 0;
  private readonly charged = new Map<string, number>();
  private readonly lines = new Map<string, Line>();
  /** Lines whose first request waits for memory only, in the order of their turns. */
  private readonly turns = new Set<Line>();
  /** Lines whose first request waits until this owner releases something, first come, first served. */
  private readonly parked = new Map<string, Set<Line>>();

  constructor(private readonly options: FairBudgetOptions) {}

  get usedBytes(): number {
    return this.used;
  }

  /** Whether somebody waits, be it for memory or until their own owner releases something. */
  get isContended(): boolean {
    return this.lines.size > 0;
  }

  /**
   * Resolves when the bytes are granted. All `owners` are charged, and each of them must be within its maximum. Rejects
   * with the signal's reason when it is aborted before.
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

  /** The bytes at once, or nothing where somebody waits for them or would have to. */
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

  /** The owner that has no room for the bytes, or whose first parked request must not be passed any more. */
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

  /** Admits what waited for these owners, as far as there is room for it. */
  private admitParked(owners: readonly string[]): void {
    for (const owner of owners) {
      let skipped = 0;
      for (const line of this.parked.get(owner) ?? []) {
        if (!this.admitOrPark(line) && ++skipped === maxSkipped) break;
      }
    }
  }

  /** The second gate. */
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

  /** The first request of the line is gone. */
  private goOn(line: Line): void {
    if (line.requests.length > 0) this.admitOrPark(line);
    else this.lines.delete(line.owners.join('\n'));
  }

  /** Of bytes that are charged to their owners. */
  private shareOf(owners: readonly string[], bytes: number): BudgetShare {
    this.used += bytes;
    const { turns, parked } = this;
    let isHeld = true;
    return {
      bytes,
      get isInDemand() {
        return isHeld && (turns.size > 0 || owners.some((owner) => parked.has(owner)));
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.used -= bytes;
        this.charge(owners, -bytes);
        this.admitParked(owners);
        this.serve();
      },
    };
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
    const affected = line.parkedAt === undefined ? line.owners : [line.parkedAt];
    this.unpark(line);
    if (this.turns.delete(line)) this.charge(line.owners, -request.bytes);
    this.goOn(line);
    this.admitParked(affected);
    this.serve();
  }
}

/** Whether a request of so many bytes may be served before the first one of a line that does not fit. */
function mayPass(line: Line, bytes: number): boolean {
  const [first] = line.requests as [Request];
  return first.passedBytes + bytes <= first.bytes;
}
