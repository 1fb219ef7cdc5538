import { Injectable } from '@nestjs/common';
import { domainOf } from '#kernel';
import { ClaimedRecipient } from '../domain/attempt.js';
import { PacedLane, pacedLaneName, pacedLaneOf, siteOfLane, testSite } from '../domain/lane-name.js';
import { claimSize } from './lane-run.js';
import { Claim, DeliveryQueue, TeamsTurn } from './ports/delivery-queue.port.js';
import { SenderPace } from './ports/sender-pace.port.js';

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

  async claim(lane: string, workerId: string, limit: number): Promise<Claim | undefined> {
    const paced = pacedLaneOf(lane);
    if (paced === undefined) {
      return this.unpaced(lane, workerId, limit, () => this.queue.claim(lane, workerId, limit));
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
