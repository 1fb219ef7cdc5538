import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

/** Claims recipients of a lane team by team. Each claim continues after the last team of the claim before. */
export class TeamsInTurn {
  private lookedAt: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** Undefined where the worker no longer has the lane. */
  async claim(): Promise<readonly ClaimedRecipient[] | undefined> {
    const turn = await this.queue.claimInTurns(this.lane, this.workerId, this.lookedAt);
    this.lookedAt = turn?.lookedAt;
    return turn?.claimed;
  }
}
