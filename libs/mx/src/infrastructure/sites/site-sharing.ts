import type { RateLimit } from '#smtp-client';

/** The means by which workers share the limits of a site. Both are absent if this process is the only worker: it has all. */
export class SiteSharing {
  constructor(
    readonly slots?: SiteSlots,
    readonly others?: OtherWorkers,
  ) {}
}

/** Releases the slot. To be called once, when the connection is closed. */
export type SiteSlot = () => void;

/**
 * The connections that all workers together may have to a site. A worker takes a slot before it opens a connection.
 *
 * Slots are numbered from 0, and a worker takes one below the limit that it knows. Workers that know different limits
 * still count the same slots, so the total never exceeds the largest of these limits.
 */
export abstract class SiteSlots {
  /**
   * Waits for a free slot. Returns undefined when `isWanted` becomes false, or when the wait reaches the adapter's
   * limit: the mail then returns to its queue.
   */
  abstract take(site: string, limit: () => number, isWanted: () => boolean): Promise<SiteSlot | undefined>;
}

/** Number of messages for each site within about a second, by the key of the site. */
export type SiteDemands = ReadonlyMap<string, number>;

export interface OthersDemands {
  /** Number of other workers that send. */
  readonly workers: number;
  /** Their total demand, for the sites in the request. */
  readonly demands: SiteDemands;
}

/** The other workers that send to the same sites. */
export abstract class OtherWorkers {
  /** Publishes the demands of this worker, and resolves with those of the others. */
  abstract exchange(demands: SiteDemands): Promise<OthersDemands>;
}

/** The limits of a site, of which its rate is shared. */
interface SharedLimits {
  readonly rate: RateLimit;
}

/** Maximum number of sites published, those with the most messages first. */
const maxSites = 1_000;
const exchangeMs = 1_000;

/**
 * Divides the messages per minute of each site between the workers, in proportion to their demand.
 *
 * The exchange happens once a second for all sites together, and not at all while nothing is sent. No message waits for
 * it. A worker that begins to send to a site takes an equal share until the first exchange, so for a second the sum may
 * exceed the limit. If an exchange fails, shares stay as they are.
 */
export class RateShares {
  #timer: NodeJS.Timeout | undefined;
  #workers = 0;
  #hasTold = false;
  #isUnderWay = false;

  constructor(
    private readonly others: OtherWorkers,
    private readonly throttles: ReadonlyMap<string, SharedLimits>,
    /** Number of waiting messages, by the key of their site. */
    private readonly waiting: () => SiteDemands,
  ) {}

  /** Sets the first share of a new site. */
  begin({ rate }: SharedLimits): void {
    rate.share = this.#equalPart;
    // oxlint-disable-next-line no-restricted-globals -- Runs only once a site is known, in a class that Nest does not make.
    this.#timer ??= setInterval(() => void this.exchange(), exchangeMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Exchanges demands with the other workers and updates the shares. Never rejects. */
  async exchange(): Promise<void> {
    if (this.#isUnderWay) return;
    const wanted = this.#wanted();
    if (wanted.size === 0 && !this.#hasTold) return;
    this.#isUnderWay = true;
    try {
      const { workers, demands } = await this.others.exchange(wanted);
      this.#workers = workers;
      this.#hasTold = wanted.size > 0;
      for (const [key, { rate }] of this.throttles) {
        const own = wanted.get(key);
        rate.share = own === undefined ? this.#equalPart : own / (own + (demands.get(key) ?? 0));
      }
    } catch {
      // The database is away. The shares stay as they are.
    } finally {
      this.#isUnderWay = false;
    }
  }

  get #equalPart(): number {
    return 1 / (this.#workers + 1);
  }

  #wanted(): SiteDemands {
    const wanted = new Map(this.waiting());
    for (const [key, { rate }] of this.throttles) {
      const taken = rate.countTaken();
      if (taken > 0) wanted.set(key, (wanted.get(key) ?? 0) + taken);
    }
    if (wanted.size <= maxSites) return wanted;
    return new Map([...wanted].sort(([, one], [, other]) => other - one).slice(0, maxSites));
  }
}
