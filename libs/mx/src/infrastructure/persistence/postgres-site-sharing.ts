import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, SessionLocks } from '#postgres/database';
import { OthersDemands, OtherWorkers, SiteDemands, SiteSlot, SiteSlots } from '../sites/site-sharing.js';

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

/** Seconds for which the demands of a worker are valid: several times the interval between two exchanges. */
const holdsSeconds = 5;

/** Stores one row per worker that sends. Rows of workers that are gone are removed by the others. */
export class PostgresOtherWorkers extends OtherWorkers {
  constructor(
    private readonly database: Database,
    private readonly workerId: string,
  ) {
    super();
  }

  async exchange(demands: SiteDemands): Promise<OthersDemands> {
    const rows = await this.database.query<{ workers: number; site: string | null; demand: number }>({
      name: 'exchange-site-demands',
      text: `
        WITH own AS (
          INSERT INTO site_demands (worker_id, told_at, demands) VALUES ($1, clock_timestamp(), $2::jsonb)
          ON CONFLICT (worker_id) DO UPDATE SET told_at = excluded.told_at, demands = excluded.demands
        ), forgotten AS (
          DELETE FROM site_demands WHERE worker_id <> $1 AND told_at < clock_timestamp() - interval '1 minute'
        ), others AS (
          SELECT demands FROM site_demands
          WHERE worker_id <> $1 AND told_at > clock_timestamp() - interval '${holdsSeconds} seconds' AND demands <> '{}'
        )
        SELECT (SELECT count(*)::int FROM others) AS workers, d.key AS site, coalesce(sum(d.value::float8), 0) AS demand
        FROM (VALUES (1)) AS once LEFT JOIN (others CROSS JOIN LATERAL jsonb_each_text(others.demands) AS d) ON $2::jsonb ? d.key
        GROUP BY d.key`,
      values: [this.workerId, JSON.stringify(Object.fromEntries(demands))],
    });
    return {
      workers: rows[0]?.workers ?? 0,
      demands: new Map(rows.flatMap(({ site, demand }) => (site === null ? [] : [[site, demand]]))),
    };
  }
}
