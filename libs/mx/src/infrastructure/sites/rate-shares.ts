import type { SiteThrottle } from './site-throttle.js';

/** Messages for sites within about a second, by the key of the site. */
export type SiteDemands = ReadonlyMap<string, number>;

export interface OthersDemands {
  /** How many other workers there are that send. */
  readonly workers: number;
  /** What they want together, of the sites that were asked for. */
  readonly demands: SiteDemands;
}

/** The other workers, as far as they send to the same sites. */
export abstract class OtherWorkers {
  /** Tells them what this one wants, and answers what they want. */
  abstract exchange(demands: SiteDemands): Promise<OthersDemands>;
}

/** Sites that others are told of, those with the most messages first. */
const maxSites = 1_000;
const beatMs = 1_000;

/**
 * Divides what each site takes per minute between the workers, by what each of them wants to send there.
 *
 * Once a second, for all sites together, and not at all while nothing is sent: no message waits for an answer. A worker that
 * begins to send to a site takes an equal part until it has heard of the others, so that for a second the sum may be more than
 * the limit. While nothing is heard, shares stay as they are.
 */
export class RateShares {
  #timer: NodeJS.Timeout | undefined;
  #workers = 0;
  #hasTold = false;
  #isUnderWay = false;

  constructor(
    private readonly others: OtherWorkers,
    private readonly throttles: ReadonlyMap<string, SiteThrottle>,
    /** What waits, by the key of its site. */
    private readonly waiting: () => SiteDemands,
  ) {}

  /** For a site that is new here. */
  begin(throttle: SiteThrottle): void {
    throttle.rate.share = this.#equalPart;
    // eslint-disable-next-line no-restricted-globals -- Runs only once a site is known, in a class that Nest does not make.
    this.#timer ??= setInterval(() => void this.beat(), beatMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async beat(): Promise<void> {
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
      // The database is away, and what keeps mail from being sent then is not this.
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
