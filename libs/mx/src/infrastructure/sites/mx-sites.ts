import type { LaneLimits } from '#delivery';
import { siteOf } from './mx-lookup.js';
import type { MailHost } from './mx-lookup.js';
import { keyOf, localAddressFor } from './source-hosts.js';
import type { MxRules, SourceHost } from './source-hosts.js';
import { MxSite } from './mx-site.js';
import type { MxHostOptions, SitePolicy } from './mx-site.js';
import { OutgoingConnections } from './outgoing-connections.js';
import { RateShares } from './site-sharing.js';
import type { OtherWorkers, SiteSlots } from './site-sharing.js';
import { SiteThrottle } from './site-throttle.js';

const maxIdleSites = 1_000;
const maxLanes = 20_000;

export interface SiteRequest {
  readonly lane: string;
  /** All hosts of the domain. The site and its limits depend on these, even if a policy excludes some of them. */
  readonly all: readonly MailHost[];
  /** The hosts that the policy allows for this mail. */
  readonly hosts: readonly MailHost[];
  readonly senderHost: string;
  readonly policy: SitePolicy;
}

/** The sites in use and their limits. A site is identified by its hosts, our source host and the required TLS. */
export class MxSites {
  readonly #sites = new Map<string, MxSite>();
  readonly #throttles = new Map<string, SiteThrottle>();
  /** The site and source that the mail of a lane used last. */
  readonly #lanes = new Map<string, { readonly site: MxSite; readonly source: SourceHost | undefined }>();
  readonly #shares: RateShares | undefined;
  readonly #connections = new OutgoingConnections();
  #turn = 0;
  /** Number of sites at which idle ones are removed: twice the number that remained the last time. */
  #cleanAt = maxIdleSites;
  #isWithdrawn = false;

  constructor(
    private readonly options: MxHostOptions & { readonly backOff?: number },
    private readonly rules: MxRules,
    private readonly slots: SiteSlots,
    /** Default: there are none. */
    others?: OtherWorkers,
  ) {
    this.#shares = others && new RateShares(others, this.#throttles, () => this.#waiting());
  }

  siteFor(request: SiteRequest): MxSite {
    const source = this.#sourceFor(request);
    const name = siteOf(request.all);
    const throttle = this.#throttle(name, source, request.all);
    // DNSSEC may secure the MX records of one domain but not of another. The same hosts then have different DANE
    // requirements.
    const daneHosts = siteOf(request.hosts.filter(({ dane }) => dane !== undefined));
    const key = `${request.policy} ${siteOf(request.hosts)} ${daneHosts} ${keyOf(source)} ${name}`;
    let site = this.#sites.get(key);
    if (site === undefined) {
      this.#forgetIdleSites();
      site = new MxSite(name, throttle, this.slots, this.#connections, {
        ...this.options,
        policy: request.policy,
        source,
      });
      if (this.#isWithdrawn) site.withdraw();
      this.#sites.set(key, site);
    }
    this.#remember(request.lane, site, source);
    return site;
  }

  throttleOf(site: string, source?: SourceHost): SiteThrottle | undefined {
    return this.#throttles.get(`${site} ${keyOf(source)}`);
  }

  /** What holds the lane's mail back; undefined if nothing does. */
  limitsOf(lane: string): LaneLimits | undefined {
    const known = this.#lanes.get(lane);
    if (known === undefined) return undefined;
    const { site, source } = known;
    if (site.waiting === 0) return undefined;
    const { profile, connectionLimit, rate, narrowed } = site.throttle;
    return {
      profile: profile.name,
      site: site.name,
      source: source?.heloName,
      heldBy: heldBy[site.isHeldBy ?? 'connections'],
      connections: { current: connectionLimit, most: profile.connections },
      messagesPerMinute: { current: rate.perMinute, most: rate.maxPerMinute },
      narrowed,
    };
  }

  withdraw(): void {
    this.#isWithdrawn = true;
    for (const site of this.#sites.values()) site.withdraw();
  }

  async close(): Promise<void> {
    this.#shares?.stop();
    await Promise.all([...this.#sites.values()].map((site) => site.close()));
  }

  /**
   * Source hosts take turns, so that each carries its share. Only those with an address family of the hosts are used.
   */
  #sourceFor({ senderHost, hosts }: SiteRequest): SourceHost | undefined {
    const sources = this.rules.sources.sourcesOf(senderHost);
    if (sources.length === 0) return undefined;
    const able = sources.filter((source) =>
      hosts.some(({ addresses }) => addresses.some((address) => localAddressFor(source, address) !== undefined)),
    );
    if (able.length === 0) throw new Error(`none of the source addresses of ${senderHost} can reach the mail hosts`);
    return able[this.#turn++ % able.length];
  }

  #throttle(name: string, source: SourceHost | undefined, hosts: readonly MailHost[]): SiteThrottle {
    const profile = this.rules.profiles.profileOf(hosts[0]?.name ?? '');
    const key = `${name} ${keyOf(source)}`;
    let throttle = this.#throttles.get(key);
    if (throttle === undefined) {
      throttle = new SiteThrottle(profile);
      this.#throttles.set(key, throttle);
      this.#shares?.begin(throttle);
    }
    throttle.profile = profile;
    return throttle;
  }

  #waiting(): Map<string, number> {
    const waiting = new Map<string, number>();
    for (const site of this.#sites.values()) {
      if (site.waiting > 0) waiting.set(site.key, (waiting.get(site.key) ?? 0) + site.waiting);
    }
    return waiting;
  }

  #remember(lane: string, site: MxSite, source: SourceHost | undefined): void {
    if (this.#lanes.get(lane)?.site === site) return;
    this.#lanes.set(lane, { site, source });
    const [oldest] = this.#lanes.keys();
    if (this.#lanes.size > maxLanes && oldest !== undefined) this.#lanes.delete(oldest);
  }

  /** Removes sites without connections, together with their adapted limits. */
  #forgetIdleSites(): void {
    if (this.#sites.size < this.#cleanAt) return;
    for (const [key, site] of this.#sites) {
      if (!site.isEmpty) continue;
      void site.close();
      this.#sites.delete(key);
    }
    const used = new Set([...this.#sites.values()].map(({ throttle }) => throttle));
    for (const [key, throttle] of this.#throttles) if (!used.has(throttle)) this.#throttles.delete(key);
    for (const [lane, { site }] of this.#lanes) if (!used.has(site.throttle)) this.#lanes.delete(lane);
    this.#cleanAt = Math.max(maxIdleSites, this.#sites.size * 2);
  }
}

const heldBy = { rate: 'rate_limit', 'back-off': 'back_off', connections: 'connection_limit' } as const;
