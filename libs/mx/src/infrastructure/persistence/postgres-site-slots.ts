import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SessionLocks } from '#platform/database';
import { SiteSlot, SiteSlots } from '../sites/site-slots.js';

/** Interval between two requests for a slot while other workers hold them all. */
const askEveryMs = 100;
/**
 * After releasing a slot a worker waits this long, so that other waiting workers come first. It is longer than
 * `askEveryMs`.
 */
const yieldMs = 150;
/**
 * Longer than an unused connection is kept (`idle` of the timeouts), so that a worker with slots but without mail has
 * released them by then.
 */
const patienceMs = 30_000;
const maxSites = 10_000;

/** Uses locks of PostgreSQL as slots, so that the slots of a worker that dies are free at once. */
export class PostgresSiteSlots extends SiteSlots {
  private readonly releasedAt = new Map<string, number>();
  /** The last request in the queue of each site: only the first waiting request of this process asks the database. */
  private readonly queues = new Map<string, Promise<unknown>>();

  /** `onTrouble` is called with the database error if no slot could be requested before the deadline. */
  constructor(
    private readonly locks: SessionLocks,
    private readonly onTrouble: (error: unknown) => void = () => undefined,
  ) {
    super();
  }

  async take(site: string, limit: () => number, isWanted: () => boolean): Promise<SiteSlot | undefined> {
    const deadline = performance.now() + patienceMs;
    const turn = (this.queues.get(site) ?? Promise.resolve()).then(() => this.ask(site, limit, isWanted, deadline));
    this.queues.set(site, turn);
    try {
      return await turn;
    } finally {
      if (this.queues.get(site) === turn) this.queues.delete(site);
    }
  }

  /** Never rejects: while the database is away, no slot is free, and the request is repeated. */
  private async ask(
    site: string,
    limit: () => number,
    isWanted: () => boolean,
    deadline: number,
  ): Promise<SiteSlot | undefined> {
    const key = createHash('sha256').update(site).digest().readInt32BE();
    const yieldFor = (this.releasedAt.get(site) ?? -Infinity) + yieldMs - performance.now();
    if (yieldFor > 0) await delay(yieldFor);
    while (isWanted() && !this.locks.isClosed) {
      let trouble: unknown;
      const number = await this.locks.takeBelow(key, limit()).catch((error: unknown) => void (trouble = error));
      if (number !== undefined) return () => this.release(site, key, number);
      if (performance.now() > deadline) {
        if (trouble !== undefined) this.onTrouble(trouble);
        return undefined;
      }
      await delay(askEveryMs);
    }
    return undefined;
  }

  private release(site: string, key: number, number: number): void {
    if (this.releasedAt.size >= maxSites) this.releasedAt.clear();
    this.releasedAt.set(site, performance.now());
    // If the connection to the database was lost, the lock is already released.
    this.locks.release(key, number).catch(() => undefined);
  }
}
