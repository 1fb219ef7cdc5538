import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

/** Claims in a lane that go from team to team, each where the one before stopped. */
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
