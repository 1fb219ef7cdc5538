import type { SiteThrottle } from './site-throttle.js';

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
    private readonly throttles: ReadonlyMap<string, SiteThrottle>,
    /** Number of waiting messages, by the key of their site. */
    private readonly waiting: () => SiteDemands,
  ) {}

  /** Sets the first share of a new site. */
  begin(throttle: SiteThrottle): void {
    throttle.rate.share = this.#equalPart;
    // eslint-disable-next-line no-restricted-globals -- Runs only once a site is known, in a class that Nest does not make.
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
