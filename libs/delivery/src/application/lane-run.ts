import { BulkTurns, FairQueue } from '#kernel';
import { ClaimedRecipient, DeliveryOutcome } from '../domain/attempt.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

/** What the deliveries of one drain share: those of the transactional or of the bulk mail of a lane. */
export interface LaneRun {
  readonly lane: string;
  /** Limits the messages of the lane that are handed over at the same time. */
  readonly slots: SlotsOfOneKind;
  readonly window: LaneWindow;
  readonly health: LaneHealth;
}

/**
 * Recipients held beyond those under way: they wait for a connection, or for their outcome to be written. The next
 * claim is made when half of them are left, so that its round trip never leaves a connection idle.
 */
const claimAhead = 256;
/**
 * From this time of a claim on, in ms, the database is far away. A recipient costs several round trips from its claim to
 * its settled outcome, so a lane that held only `claimAhead` of them would wait for the database.
 */
const farMs = 20;
/** Round trips, each as long as a claim, for which a lane that is far from the database holds recipients. */
const roundTripsAhead = 14;
/** The most that it holds beyond those under way, however far the database is and however fast the site. */
const maxClaimAhead = 2_048;
/**
 * Content is read ahead for recipients whose turn comes within this time, in ms, and always for `minReadAhead` of them: a
 * lane is slow until it reads ahead.
 */
const readAheadMs = 4_000;
const minReadAhead = 512;
/** Claims whose shortest time is the distance: a busy database makes many claims slow, and hardly ever all of these. */
const recentClaims = 32;
/** Time over which the pace of a lane is averaged, in ms. */
const paceMs = 1_000;
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
  private readonly claimTimes: number[] = [];
  private distanceMs = 0;
  private perMs = 0;
  private paceAt = 0;
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
    return this.isOpening ? openingClaim : this.concurrency + this.ahead;
  }

  /** Whether the content of the recipients claimed next should be read before their turn. */
  get readsAhead(): boolean {
    return !this.isOpening && this.distanceMs >= farMs && this.held < Math.max(minReadAhead, this.perMs * readAheadMs);
  }

  /** To be called after each claim. */
  measured(claimMs: number): void {
    this.claimTimes.push(claimMs);
    if (this.claimTimes.length > recentClaims) this.claimTimes.shift();
    this.distanceMs = Math.min(...this.claimTimes);
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
    const now = performance.now();
    this.perMs = this.perMs * Math.exp((this.paceAt - now) / paceMs) + count / paceMs;
    this.paceAt = now;
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
    return this.isOpening ? this.held < openingClaim : this.held <= this.limit - this.ahead / 2;
  }

  /** As many as the lane finishes while a recipient comes and goes, but at least `claimAhead`. */
  private get ahead(): number {
    if (this.distanceMs < farMs) return claimAhead;
    const held = Math.ceil(this.perMs * this.distanceMs * roundTripsAhead);
    return Math.min(maxClaimAhead, Math.max(claimAhead, held));
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

/**
 * Numbers of recipients that a claim may ask for. There are few, so that an adapter can prepare a statement for each.
 */
const sizes = [16, 64, 128, 256, 512] as const;

/** The largest of these sizes that fits into `room`, or the smallest one. */
export function claimSize(room: number): number {
  return sizes.findLast((size) => size <= room) ?? sizes[0];
}

/** The right to hand a message over, for mail of one kind. */
interface SlotsOfOneKind {
  take(teamId: string): Promise<void>;
  release(): void;
}

/** From this many slots on, some are kept free of bulk mail. */
const minToKeep = 4;
/** Part of the slots that bulk mail never takes, so that a transactional message is handed over at once. */
const keptPart = 1 / 8;

/**
 * The messages of one lane that may be handed over at the same time. Bulk mail leaves some of them free, and where both
 * kinds of mail wait, transactional mail goes first: see `BulkTurns`. Teams take turns with their bulk mail.
 */
export class LaneSlots {
  readonly transactional: SlotsOfOneKind = {
    take: () => this.take(),
    release: () => this.release(false),
  };
  readonly bulk: SlotsOfOneKind = {
    take: (teamId) => this.take(teamId),
    release: () => this.release(true),
  };

  private readonly turns = new BulkTurns();
  private readonly waiting: (() => void)[] = [];
  private readonly waitingBulk = new FairQueue<() => void>();
  private readonly maxBulk: number;
  private taken = 0;
  private takenByBulk = 0;

  constructor(private readonly size: number) {
    this.maxBulk = size < minToKeep ? size : size - Math.ceil(size * keptPart);
  }

  /** With a team: for its bulk mail. */
  private take(bulkOf?: string): Promise<void> {
    const isBulk = bulkOf !== undefined;
    if (this.taken < this.size && (!isBulk || this.takenByBulk < this.maxBulk)) {
      this.count(isBulk, 1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      if (isBulk) this.waitingBulk.push(bulkOf, resolve);
      else this.waiting.push(resolve);
    });
  }

  private release(isBulk: boolean): void {
    this.count(isBulk, -1);
    const mayBulk = this.waitingBulk.length > 0 && this.takenByBulk < this.maxBulk;
    const isBulks = this.turns.isBulks(this.waiting.length > 0, mayBulk);
    const next = isBulks ? this.waitingBulk.shift() : this.waiting.shift();
    if (next === undefined) return;
    this.count(isBulks, 1);
    next();
  }

  private count(isBulk: boolean, change: 1 | -1): void {
    this.taken += change;
    if (isBulk) this.takenByBulk += change;
  }
}

/**
 * Whether the site behind a lane can be reached, as one drain of the lane finds out.
 *
 * The first attempt that finds the site down counts, and pauses the lane for all workers. Recipients that were under
 * way at the same time, or claimed later, return to the queue untried. After the pause one recipient is the probe, so
 * that a site that is down costs one attempt per pause instead of one per waiting message.
 */
export class LaneHealth {
  private found: DeliveryOutcome | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** The outcome of the attempt that found the site down. */
  get trouble(): DeliveryOutcome | undefined {
    return this.found;
  }

  /** Resolves with whether the attempt counts. */
  async learnFrom(outcome: DeliveryOutcome, isProbe: boolean): Promise<boolean> {
    // With a pool the trouble may be of its address alone, and the lane has mail of other teams as well.
    if (outcome.kind === 'deferred' && outcome.isSiteTrouble === true && outcome.detail.pool === undefined) {
      if (this.found !== undefined) return false;
      this.found = outcome;
      // If the pause cannot be written, the outcome must still be recorded. The next attempt will find the site down
      // too.
      await this.queue.pause(this.lane, outcome.reason).catch(() => undefined);
    } else if (isProbe && this.found === undefined && provesSiteUp(outcome)) {
      await this.queue.resume(this.lane).catch(() => undefined);
    }
    return true;
  }

  returnUntried(recipients: readonly ClaimedRecipient[]): Promise<void> {
    return this.queue.returnUntried(this.workerId, recipients);
  }
}

/**
 * An internal error says nothing about the site. A host that greets us and breaks off later counts as up: while the
 * lane counts as down, its mail would be tried one message at a time.
 */
function provesSiteUp(outcome: DeliveryOutcome): boolean {
  if (outcome.kind === 'bounced' && outcome.failure !== undefined) return false;
  const { replyCode, address } = outcome.detail;
  return outcome.kind !== 'deferred' || replyCode !== undefined || address !== undefined;
}
