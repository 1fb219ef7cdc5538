import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SessionLocks } from '#platform/database';
import { SiteSlot, SiteSlots } from '../sites/site-slots.js';

/** How often a slot is asked for while others have them all. */
const askEveryMs = 100;
/** After giving a slot back a worker lets those that wait come first: longer than they wait between two questions. */
const politenessMs = 150;
/** Longer than an unused connection is kept (`idle` of the timeouts): whoever has slots and no mail gives them up by then. */
const patienceMs = 30_000;
const maxSites = 10_000;

/** Slots as locks of PostgreSQL: those of a worker that dies are free at once. */
export class PostgresSiteSlots extends SiteSlots {
  private readonly givenBackAt = new Map<string, number>();
  /** The end of the line for each site: only the first of those that wait in this process asks. */
  private readonly lines = new Map<string, Promise<unknown>>();

  /** `onTrouble` is told why slots could not be asked for, where that is what kept mail waiting. */
  constructor(
    private readonly locks: SessionLocks,
    private readonly onTrouble: (error: unknown) => void = () => undefined,
  ) {
    super();
  }

  async take(site: string, limit: () => number, isWanted: () => boolean): Promise<SiteSlot | undefined> {
    const deadline = performance.now() + patienceMs;
    const turn = (this.lines.get(site) ?? Promise.resolve()).then(() => this.ask(site, limit, isWanted, deadline));
    this.lines.set(site, turn);
    try {
      return await turn;
    } finally {
      if (this.lines.get(site) === turn) this.lines.delete(site);
    }
  }

  /** Never rejects: a database that is away is like slots that are taken, and is asked again. */
  private async ask(
    site: string,
    limit: () => number,
    isWanted: () => boolean,
    deadline: number,
  ): Promise<SiteSlot | undefined> {
    const key = createHash('sha256').update(site).digest().readInt32BE();
    const polite = (this.givenBackAt.get(site) ?? -Infinity) + politenessMs - performance.now();
    if (polite > 0) await delay(polite);
    while (isWanted() && !this.locks.isClosed) {
      let trouble: unknown;
      const number = await this.locks.takeBelow(key, limit()).catch((error: unknown) => void (trouble = error));
      if (number !== undefined) return () => this.giveBack(site, key, number);
      if (performance.now() > deadline) {
        if (trouble !== undefined) this.onTrouble(trouble);
        return undefined;
      }
      await delay(askEveryMs);
    }
    return undefined;
  }

  private giveBack(site: string, key: number, number: number): void {
    if (this.givenBackAt.size >= maxSites) this.givenBackAt.clear();
    this.givenBackAt.set(site, performance.now());
    // A connection to the database that is lost has given the lock back already.
    this.locks.giveBack(key, number).catch(() => undefined);
  }
}
