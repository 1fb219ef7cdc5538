import { BulkTurns, domainOf, FairQueue } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ClaimedRecipient } from '../domain/attempt.js';
import { PacedLane, pacedLaneName, pacedLaneOf, siteOfLane, testSite } from '../domain/lane-name.js';
import { Claim, DeliveryQueue, TeamsTurn } from './ports/delivery-queue.port.js';
import { SenderPace } from './ports/sender-pace.port.js';

/*
 * How much of a lane is in progress at once: `LaneWindow` says how many recipients are claimed and held, `LaneSlots` how many
 * messages are handed over, and `PacedClaims` lets claims take less where a sender has to go slower.
 */

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
 * Content is read and rendered ahead for recipients whose turn comes within this time, in ms, and always for
 * `minReadAhead` of them: a lane is slow until it reads ahead.
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
  private takesContent = false;
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

  /** Whether the content of the recipients claimed next should be read and rendered before their turn. */
  get readsAhead(): boolean {
    return this.takesContent && !this.isOpening && this.held < Math.max(minReadAhead, this.perMs * readAheadMs);
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

  /** To be called when content is asked for. Mail to test addresses never needs its content. */
  contentAsked(): void {
    this.takesContent = true;
    this.open();
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
function claimSize(room: number): number {
  return sizes.findLast((size) => size <= room) ?? sizes[0];
}

/** The right to hand a message over, for mail of one kind. */
export interface SlotsOfOneKind {
  /** Undefined: at once. */
  take(teamId: string): Promise<void> | undefined;
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
  private take(bulkOf?: string): Promise<void> | undefined {
    const isBulk = bulkOf !== undefined;
    if (this.taken < this.size && (!isBulk || this.takenByBulk < this.maxBulk)) {
      this.count(isBulk, 1);
      return undefined;
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
 * The claims of a drain, within what senders may send.
 *
 * Of an ordinary lane, mail of a sender that is slowed is claimed as any other, and then moved to its paced lane, once. Of a paced lane as
 * much is claimed as may go. Where no sender is slowed, this costs one look into an empty map per claim.
 */
@Injectable()
export class PacedClaims {
  constructor(
    private readonly queue: DeliveryQueue,
    private readonly pace: SenderPace,
  ) {}

  /** Whether it is worth while to acquire the lane. */
  mayDrain(lane: string): boolean {
    const paced = pacedLaneOf(lane);
    return paced === undefined || this.pace.mayGo(paced);
  }

  /** Calls `onAnswer` once the queue has answered, before the DNS may have to be asked: that can take half a minute. */
  async claim(
    lane: string,
    workerId: string,
    limit: number,
    onAnswer: () => void = () => undefined,
  ): Promise<Claim | undefined> {
    const paced = pacedLaneOf(lane);
    if (paced === undefined) {
      return this.unpaced(lane, workerId, limit, () => this.queue.claim(lane, workerId, limit).finally(onAnswer));
    }
    if (paced.kind === 'bulk') return { claimed: [], isBulkDue: this.pace.mayGo(paced) };
    const none: Claim = { claimed: [], isBulkDue: false };
    return this.within(paced, limit, none, (most) => this.queue.claim(lane, workerId, most));
  }

  async claimInTurns(lane: string, workerId: string, afterTeam: string | undefined): Promise<TeamsTurn | undefined> {
    // A paced lane has the mail of one domain, and so of one team.
    if (pacedLaneOf(lane) !== undefined) return { claimed: [], lookedAt: undefined };
    return this.unpaced(lane, workerId, 1, () => this.queue.claimInTurns(lane, workerId, afterTeam));
  }

  async claimBulk(
    lane: string,
    workerId: string,
    limit: number,
    afterTeam: string | undefined,
  ): Promise<TeamsTurn | undefined> {
    const paced = pacedLaneOf(lane);
    if (paced === undefined) {
      return this.unpaced(lane, workerId, 1, () => this.queue.claimBulk(lane, workerId, limit, afterTeam));
    }
    const none: TeamsTurn = { claimed: [], lookedAt: undefined };
    return this.within(paced, limit, none, async (most) =>
      (await this.standsBack(lane, paced)) ? none : this.queue.claimBulk(lane, workerId, most, afterTeam),
    );
  }

  /** Whether bulk mail waits, because transactional mail that is due goes first. */
  private async standsBack(lane: string, paced: PacedLane): Promise<boolean> {
    return this.pace.isShared(paced) && (await this.queue.isDue(pacedLaneName(lane, { ...paced, kind: 'all' })));
  }

  /** Claims as much as may go. If the claim fails, it is unknown what was claimed, and what was taken stays taken. */
  private async within<Result extends Claimed>(
    paced: PacedLane,
    limit: number,
    none: Result,
    claim: (most: number) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    const taken = await this.pace.take(paced, limit);
    const most = claimable(taken);
    const result = most === 0 ? none : await claim(most);
    const spare = taken - (result?.claimed.length ?? 0);
    if (spare > 0) await this.pace.giveBack(paced, spare);
    return result;
  }

  /** Claims, and moves what has to wait. Claims again where nothing else was found and more may be there: `full` were claimed. */
  private async unpaced<Result extends Claimed>(
    lane: string,
    workerId: string,
    full: number,
    claim: () => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    for (let no = 1; ; no++) {
      const result = await claim();
      const paced = result && (await this.pace.pacedAmong(result.claimed));
      if (result === undefined || paced === undefined || paced.size === 0) return result;
      // Mail to test addresses goes nowhere, so there is nothing to spare.
      if (siteOfLane(lane) === testSite) return result;
      await this.move(lane, workerId, paced);
      const claimed = result.claimed.filter((recipient) => !paced.has(recipient));
      if (claimed.length > 0 || result.claimed.length < full || no === maxClaims) return { ...result, claimed };
    }
  }

  /** Moves these recipients, and others of the same senders that wait in the lane. */
  private async move(lane: string, workerId: string, paced: ReadonlyMap<ClaimedRecipient, PacedLane>): Promise<void> {
    const moves = [...paced].map(([recipient, to]) => ({ recipient, to: pacedLaneName(lane, to) }));
    await this.queue.move(workerId, moves);
    const senders = new Map(
      moves.map(({ recipient: { domainId, teamId, isBulk, address }, to }) => {
        const sender = { domainId, teamId, isBulk: isBulk === true, recipientDomain: domainOf(address), to };
        return [`${domainId} ${sender.isBulk} ${sender.recipientDomain.toLowerCase()}`, sender];
      }),
    );
    for (const sender of senders.values()) await this.queue.moveWaiting(lane, sender);
  }
}

interface Claimed {
  readonly claimed: readonly ClaimedRecipient[];
}

/** Claims in a row of which nothing is left, before the drain looks whether it should go on. */
const maxClaims = 20;
/** From here on claims ask for one of few numbers, see `claimSize`. */
const minSized = 16;

function claimable(count: number): number {
  return count < minSized ? count : claimSize(count);
}
