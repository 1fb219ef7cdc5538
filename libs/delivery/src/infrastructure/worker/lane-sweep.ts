import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';

/** Lanes examined with one statement, which takes about 10 ms. */
const lanesAtOnce = 2_000;
/** A sweep starts no further statement after this time. */
const spendMs = 25;

/**
 * Finds lanes that have work but got no wake-up: retries that have become due, pauses that have ended, mail whose
 * wake-up was lost. Each sweep continues by name where the one before stopped, and starts again after the last lane. So
 * every lane gets its turn, whatever its name, and the cost of a sweep does not grow with the number of lanes.
 *
 * With a sweep per second, up to about 5,000 lanes are all examined each second, and 300,000 within one minute, or two
 * and a half minutes if the database is busy.
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
