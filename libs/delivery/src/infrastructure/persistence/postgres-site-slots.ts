import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SessionLocks } from '#platform/database';
import { SiteSlot, SiteSlots } from '../transport/mx/site-slots.js';

/** How often a slot is asked for while others have them all. */
const askEveryMs = 100;
/** After giving a slot back a worker lets those that wait come first: longer than they wait between two questions. */
const politenessMs = 150;
/** Longer than an unused connection is kept (`idle` of the timeouts): whoever has slots and no mail gives them up by then. */
const patienceMs = 30_000;
const mostSites = 10_000;

/** Slots as locks of PostgreSQL: those of a worker that dies are free at once. */
export class PostgresSiteSlots extends SiteSlots {
  private readonly givenBackAt = new Map<string, number>();

  constructor(private readonly locks: SessionLocks) {
    super();
  }

  async take(site: string, limit: () => number): Promise<SiteSlot | undefined> {
    const key = createHash('sha256').update(site).digest().readInt32BE();
    const deadline = performance.now() + patienceMs;
    const polite = (this.givenBackAt.get(site) ?? -Infinity) + politenessMs - performance.now();
    if (polite > 0) await delay(polite);
    for (;;) {
      // A database that is away is like slots that are taken: it is asked again.
      const number = await this.locks.takeBelow(key, limit()).catch(() => undefined);
      if (number !== undefined) return () => this.giveBack(site, key, number);
      if (performance.now() > deadline || this.locks.isClosed) return undefined;
      await delay(askEveryMs);
    }
  }

  private giveBack(site: string, key: number, number: number): void {
    if (this.givenBackAt.size >= mostSites) this.givenBackAt.clear();
    this.givenBackAt.set(site, performance.now());
    // A connection to the database that is lost has given the lock back already.
    this.locks.giveBack(key, number).catch(() => undefined);
  }
}
