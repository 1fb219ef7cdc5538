import { claimSize } from './claim-size.js';

/**
 * Recipients held beyond those under way: they wait for a connection, or for their outcome to be written. The next
 * claim is made when half of them are left, so that its round trip never leaves a connection idle.
 */
const claimAhead = 256;
/** Recipients held until the site has shown that it takes mail. */
const openingClaim = 4;
/** When all lanes of a process together hold this many recipients, each lane is limited to `openingClaim`. */
const maxHeldByAll = 50_000;

/**
 * How many recipients the drain of a lane holds. It holds few until the site has shown that it takes mail: thousands of
 * lanes may wait for hosts that never reply, and each must cost little. After that it holds enough to keep its
 * connections busy.
 */
export class LaneWindow {
  private held = 0;
  private ended = 0;
  private isOpen = false;
  private room: (() => void) | undefined;
  private empty: (() => void) | undefined;

  constructor(
    private readonly concurrency: number,
    private readonly all: { held: number },
  ) {}

  get count(): number {
    return this.held;
  }

  /** Number of recipients that were held and no longer are. */
  get finished(): number {
    return this.ended;
  }

  /** The limit is still `openingClaim`. */
  get isOpening(): boolean {
    return !this.isOpen || this.all.held >= maxHeldByAll;
  }

  /** Maximum number of recipients held. */
  get limit(): number {
    return this.isOpening ? openingClaim : this.concurrency + claimAhead;
  }

  /** To be called when the site takes mail. */
  open(): void {
    this.isOpen = true;
    this.tell();
  }

  add(count: number): void {
    this.held += count;
    this.all.held += count;
  }

  remove(count: number): void {
    this.held -= count;
    this.all.held -= count;
    this.ended += count;
    this.tell();
  }

  /** Resolves when it is worth claiming more. One caller waits at a time. */
  whenRoom(): Promise<void> {
    if (this.hasRoom) return Promise.resolve();
    return new Promise((resolve) => (this.room = resolve));
  }

  /** Resolves when nothing is held. One caller waits at a time. */
  whenEmpty(): Promise<void> {
    if (this.held === 0) return Promise.resolve();
    return new Promise((resolve) => (this.empty = resolve));
  }

  private get hasRoom(): boolean {
    return this.isOpening ? this.held < openingClaim : this.held <= this.limit - claimAhead / 2;
  }

  private tell(): void {
    if (this.room !== undefined && this.hasRoom) {
      this.room();
      this.room = undefined;
    }
    if (this.empty !== undefined && this.held === 0) {
      this.empty();
      this.empty = undefined;
    }
  }
}

/** How many recipients the next claim asks for. */
export function wantedBy(window: LaneWindow): number {
  return window.isOpening ? Math.max(1, openingClaim - window.count) : claimSize(window.limit - window.count);
}
