import { Claim, DeliveryQueue } from './ports/delivery-queue.port.js';

/** Claims transactional mail of a lane team by team. Each claim continues after the last team of the claim before. */
export class TeamsInTurn {
  private lookedAt: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** Undefined where the worker no longer has the lane. */
  async claim(): Promise<Claim | undefined> {
    const turn = await this.queue.claimInTurns(this.lane, this.workerId, this.lookedAt);
    this.lookedAt = turn?.lookedAt;
    return turn && { claimed: turn.claimed, isBulkDue: false };
  }
}
