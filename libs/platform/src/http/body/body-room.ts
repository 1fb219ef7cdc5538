import { BudgetShare, DomainError, FairBudget } from '#kernel';
import { noRoomForBody, tooManyLargeBodies } from './body-limits.js';

const mebibyte = 1024 * 1024;

/** A body above this size waits for its turn among the large ones of its owner. */
const minLargeBytes = mebibyte;
/** What a large body counts among those of its owner: no body keeps more of what arrives. */
const maxCountedBytes = 64 * mebibyte;
/** A client with ten emails of 40 MB at once has them sent one after the other. */
const maxTurnWaitMs = 30_000;
const maxRoomWaitMs = 10_000;

/** What all request bodies that are under way may hold. Owners are teams, and addresses of those who have no API key. */
export class BodyBudget {
  /** Of what has arrived: a body that only announces much, or comes slowly, holds little. */
  readonly arrived = new FairBudget({ totalBytes: 192 * mebibyte, maxBytesPerOwner: 96 * mebibyte });
  /**
   * Of what large bodies announce, for each owner alone: all that were let in have room to arrive in full, so that the
   * bodies of one owner never wait for each other half-way.
   */
  readonly announced = new FairBudget({ totalBytes: Infinity, maxBytesPerOwner: 96 * mebibyte });
}

/** What one body holds of the budget, until its request is over. */
export class BodyRoom {
  private readonly shares: BudgetShare[] = [];
  /** Only of a body that waits. */
  private closed: AbortController | undefined;
  private isClosed = false;
  private charged = 0;
  private hasTurn = false;

  /** @param announced length in bytes, where the client tells it. */
  constructor(
    private readonly budget: BodyBudget,
    private readonly owner: string,
    private readonly announced: number | undefined,
  ) {}

  isFull(keptBytes: number): boolean {
    return keptBytes > this.charged;
  }

  /** Whether there is room for as much without waiting: for most bodies there is. */
  growAtOnce(keptBytes: number): boolean {
    if (this.isClosed || (this.announced ?? keptBytes) > minLargeBytes || keptBytes > minLargeBytes) return false;
    const bytes = this.missing(keptBytes);
    const share = this.budget.arrived.takeAtOnce([this.owner], bytes);
    if (share === undefined) return false;
    this.shares.push(share);
    this.charged += bytes;
    return true;
  }

  /** Resolves when there is room for as much. Throws the refusal where there is none in time. */
  async grow(keptBytes: number): Promise<void> {
    const size = this.announced ?? (keptBytes > minLargeBytes ? maxCountedBytes : 0);
    if (!this.hasTurn && size > minLargeBytes) {
      this.hasTurn = true;
      await this.take(this.budget.announced, Math.min(size, maxCountedBytes), maxTurnWaitMs, tooManyLargeBodies);
    }
    const bytes = this.missing(keptBytes);
    await this.take(this.budget.arrived, bytes, maxRoomWaitMs, noRoomForBody);
    this.charged += bytes;
  }

  release(): void {
    this.isClosed = true;
    this.closed?.abort();
    for (const share of this.shares.splice(0)) share.release();
  }

  /** With some more, so that the next chunks need not ask. */
  private missing(keptBytes: number): number {
    return keptBytes - this.charged + (keptBytes > minLargeBytes ? mebibyte : minLargeBytes / 16);
  }

  private async take(budget: FairBudget, bytes: number, maxMs: number, refusal: () => DomainError): Promise<void> {
    if (this.isClosed) throw refusal();
    const closed = (this.closed ??= new AbortController());
    const ended = new AbortController();
    const end = (): void => ended.abort(refusal());
    const timer = setTimeout(end, maxMs);
    closed.signal.addEventListener('abort', end, { once: true });
    try {
      const share = await budget.take([this.owner], bytes, ended.signal);
      if (closed.signal.aborted) share.release();
      else this.shares.push(share);
    } finally {
      clearTimeout(timer);
      closed.signal.removeEventListener('abort', end);
    }
  }
}
