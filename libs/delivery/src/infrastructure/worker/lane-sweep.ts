import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';

/** Lanes looked at with one statement: some 10 ms. */
const lanesAtOnce = 2_000;
/** What one sweep spends on looking, once begun. */
const spendMs = 25;

/**
 * Looks for lanes that have work and that nobody was woken for: retries that have come due, pauses that have ended, mail
 * whose wake-up was lost. Each sweep goes on where the one before has stopped, by name, and from the first behind the last:
 * every lane is looked at in its turn, whatever its name, and the cost of a sweep does not grow with the lanes that wait.
 * With a sweep a second every lane is looked at each second up to some 5,000 lanes, and 300,000 within one minute, or two and a
 * half where the database is busy.
 */
export class LaneSweep {
  private lookedAt: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly workerId: string,
    private readonly wake: (lane: string, teamId: string) => void,
  ) {}

  async run(): Promise<void> {
    const startedAt = performance.now();
    do {
      const found = await this.queue.lanesWithWork(this.workerId, this.lookedAt, lanesAtOnce);
      for (const { name, teamId } of found.lanes) this.wake(name, teamId);
      this.lookedAt = found.lookedAt;
    } while (this.lookedAt !== undefined && performance.now() - startedAt < spendMs);
  }
}
