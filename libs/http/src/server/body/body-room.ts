import { BudgetShare, DomainError, FairBudget } from '#kernel';
import { noRoomForBody, tooManyLargeBodies } from './body-limits.js';

const mebibyte = 1024 * 1024;

/** A larger body waits for its turn among the large bodies of its owner. */
const minLargeBytes = mebibyte;
/** Maximum size that is charged for one large body, because no body keeps more in memory. */
const maxCountedBytes = 64 * mebibyte;
/** How long a large body waits for its turn. Ten concurrent emails of 40 MB are received one after the other. */
const maxTurnWaitMs = 30_000;
const maxRoomWaitMs = 10_000;
/**
 * A reason without a stack: the calls in it would keep the request, and so its body, for as long as the signal is
 * known.
 */
const roomClosed = 'the room of the body is closed';

/** The memory of all request bodies that are arriving. Owners are teams, and addresses of clients without an API key. */
export class BodyBudget {
  /** Bytes that have arrived. A body that announces much but arrives slowly holds little. */
  readonly arrived = new FairBudget({ total: 192 * mebibyte, maxPerOwner: 96 * mebibyte });
  /**
   * Announced bytes of large bodies, per owner. All admitted bodies have room to arrive completely, so that the bodies
   * of one owner never block each other half-way.
   */
  readonly announced = new FairBudget({ total: Infinity, maxPerOwner: 96 * mebibyte });
}

/** The share of one body in the budget, until its request is finished. */
export class BodyRoom {
  private readonly shares: BudgetShare[] = [];
  /** Set only for a body that has waited. */
  private closed: AbortController | undefined;
  private isClosed = false;
  private charged = 0;
  private hasTurn = false;

  /** @param announced length in bytes, where the client sends it. */
  constructor(
    private readonly budget: BodyBudget,
    private readonly owner: string,
    private readonly announced: number | undefined,
  ) {}

  isFull(keptBytes: number): boolean {
    return keptBytes > this.charged;
  }

  /** Takes room without waiting. Returns false if that is not possible. For most bodies it is. */
  growAtOnce(keptBytes: number): boolean {
    if (this.isClosed || (this.announced ?? keptBytes) > minLargeBytes || keptBytes > minLargeBytes) return false;
    const bytes = this.missing(keptBytes);
    const share = this.budget.arrived.takeAtOnce([this.owner], bytes);
    if (share === undefined) return false;
    this.shares.push(share);
    this.charged += bytes;
    return true;
  }

  /** Resolves when there is room for the bytes. Throws the refusal if there is none in time. */
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
    this.closed?.abort(roomClosed);
    for (const share of this.shares.splice(0)) share.release();
  }

  /** The missing bytes and some more, so that not every chunk needs a request. */
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
