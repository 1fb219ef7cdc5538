/**
 * Recipients held beyond those under way: waiting for a connection, or waiting for their end to be written. The next claim
 * is made when half of them are left, so that its round trip never leaves a connection idle.
 */
const claimAhead = 256;
/** Recipients held while nobody knows whether the site takes mail. */
export const openingClaim = 4;
/** Recipients that all lanes of a process hold before each of them is kept to the few of the beginning. */
const maxHeldByAll = 50_000;

/**
 * How many recipients the drain of a lane holds. Few until the site has shown that it takes mail: thousands of lanes may wait
 * for hosts that never answer, and each of them must cost little. Then as many as keep its connections busy.
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

  /** All that were held and no longer are. */
  get finished(): number {
    return this.ended;
  }

  /** Only a few are held. */
  get isOpening(): boolean {
    return !this.isOpen || this.all.held >= maxHeldByAll;
  }

  /** How many may be held. */
  get limit(): number {
    return this.isOpening ? openingClaim : this.concurrency + claimAhead;
  }

  /** The site takes mail. */
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
