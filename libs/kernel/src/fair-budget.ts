export interface FairBudgetOptions {
  /** Bytes that all shares together may hold. A single larger request gets the whole budget alone. */
  readonly totalBytes: number;
  /** Bytes that one owner may hold at once. An owner that holds nothing may exceed it with a single request. */
  readonly maxBytesPerOwner: number;
}

/** Bytes that were granted. They count until they are released. */
export interface BudgetShare {
  readonly bytes: number;
  /** Returns the bytes. A second call does nothing. */
  release(): void;
}

interface Request {
  readonly bytes: number;
  /** Bytes granted to others while this request was first in line and did not fit. */
  passedBytes: number;
  readonly grant: (share: BudgetShare) => void;
}

/** Requests of the same owners, first come, first served. */
interface Line {
  readonly owners: readonly string[];
  readonly requests: Request[];
}

/** Lines looked at in one go. A release continues the search, so that no call takes longer than this many steps. */
const maxLinesPerSearch = 64;

/**
 * Bounds how many bytes are held in memory at once and shares them fairly among owners: teams, lanes, addresses.
 *
 * The rule: owners with waiting requests take turns, one request each. An owner at its maximum is left out until it
 * releases something. A request that does not fit yet is passed by smaller ones of others, until these amount to its own
 * size; from then on nobody passes it, so that a large request waits for a bounded number of bytes and not for ever.
 *
 * A caller bounds its waiting with `signal`, and its holding with a clock of its own.
 */
export class FairBudget {
  private used = 0;
  private readonly held = new Map<string, number>();
  private readonly lines = new Map<string, Line>();
  /** Lines that may be granted something, in the order of their turns. */
  private readonly turns = new Set<Line>();
  /** Lines that wait until this owner releases something. */
  private readonly parked = new Map<string, Set<Line>>();

  constructor(private readonly options: FairBudgetOptions) {}

  get usedBytes(): number {
    return this.used;
  }

  /** Whether somebody waits: a holder that makes no progress should then give up. */
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
      if (line.requests.length === 1) this.turns.add(line);
      this.serve();
    });
  }

  /** The bytes at once, or nothing where somebody waits or would have to. */
  takeAtOnce(owners: readonly string[], bytes: number): BudgetShare | undefined {
    const mayTake = !this.isContended && this.fits(bytes) && owners.every((owner) => this.isWithinShare(owner, bytes));
    return mayTake ? this.shareOf(owners, bytes) : undefined;
  }

  private lineOf(owners: readonly string[]): Line {
    const key = owners.join('\n');
    const line = this.lines.get(key) ?? { owners, requests: [] };
    this.lines.set(key, line);
    return line;
  }

  private serve(): void {
    let blocked: Request | undefined;
    let searched = 0;
    for (const line of this.turns) {
      if (++searched > maxLinesPerSearch) return;
      const [request] = line.requests as [Request];
      const fullOwner = line.owners.find((owner) => !this.isWithinShare(owner, request.bytes));
      if (fullOwner !== undefined) this.park(line, fullOwner);
      else if (!this.fits(request.bytes)) blocked ??= request;
      else if (blocked === undefined || blocked.passedBytes + request.bytes <= blocked.bytes) {
        if (blocked !== undefined) blocked.passedBytes += request.bytes;
        this.grantFirst(line);
      } else return;
    }
  }

  private fits(bytes: number): boolean {
    return this.used === 0 || this.used + bytes <= this.options.totalBytes;
  }

  private isWithinShare(owner: string, bytes: number): boolean {
    const held = this.held.get(owner);
    return held === undefined || held + bytes <= this.options.maxBytesPerOwner;
  }

  private grantFirst(line: Line): void {
    const request = line.requests.shift() as Request;
    this.turns.delete(line);
    if (line.requests.length > 0) this.turns.add(line);
    else this.lines.delete(line.owners.join('\n'));
    request.grant(this.shareOf(line.owners, request.bytes));
  }

  private shareOf(owners: readonly string[], bytes: number): BudgetShare {
    this.charge(owners, bytes);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.charge(owners, -bytes);
      this.unpark(owners);
      this.serve();
    };
    return { bytes, release };
  }

  private charge(owners: readonly string[], bytes: number): void {
    this.used += bytes;
    for (const owner of owners) {
      const held = (this.held.get(owner) ?? 0) + bytes;
      if (held === 0) this.held.delete(owner);
      else this.held.set(owner, held);
    }
  }

  private park(line: Line, owner: string): void {
    this.turns.delete(line);
    const lines = this.parked.get(owner) ?? new Set();
    this.parked.set(owner, lines.add(line));
  }

  private unpark(owners: readonly string[]): void {
    for (const owner of owners) {
      for (const line of this.parked.get(owner) ?? []) this.turns.add(line);
      this.parked.delete(owner);
    }
  }

  private withdraw(line: Line, request: Request): void {
    line.requests.splice(line.requests.indexOf(request), 1);
    if (line.requests.length === 0) {
      this.lines.delete(line.owners.join('\n'));
      this.turns.delete(line);
      for (const lines of this.parked.values()) lines.delete(line);
    }
    // The one behind it may be smaller.
    else if (!this.turns.has(line)) this.unparkLine(line);
    this.serve();
  }

  private unparkLine(line: Line): void {
    for (const lines of this.parked.values()) lines.delete(line);
    this.turns.add(line);
  }
}
