import type { LaneLimits } from '#delivery';
import { siteOf } from './mx-lookup.js';
import type { MailHost } from './mx-lookup.js';
import { keyOf, localAddressFor, NoSourceError } from './source-hosts.js';
import type { MailSender, MxRules, SourceHost, SourcePool } from './source-hosts.js';
import { MxSite } from './mx-site.js';
import type { MxHostOptions, SitePolicy } from './mx-site.js';
import { OutgoingConnections } from './outgoing-connections.js';
import { RateShares } from './site-sharing.js';
import type { OtherWorkers, SiteSlots } from './site-sharing.js';
import { SiteThrottle } from './site-throttle.js';
import { WeightedTurns } from './weighted-turns.js';

const maxIdleSites = 1_000;
const maxLanes = 20_000;

export interface SiteRequest {
  readonly lane: string;
  /** All hosts of the domain. The site and its limits depend on these, even if a policy excludes some of them. */
  readonly all: readonly MailHost[];
  /** The hosts that the policy allows for this mail. */
  readonly hosts: readonly MailHost[];
  readonly sender: MailSender;
  readonly policy: SitePolicy;
}

/** A site, and where its mail leaves from. Without a source the operating system chooses the address. */
export interface ChosenSite {
  readonly site: MxSite;
  readonly source?: SourceHost;
  readonly pool?: string;
}

/** The sites in use and their limits. A site is identified by its hosts, our source host and the required TLS. */
export class MxSites {
  readonly #sites = new Map<string, MxSite>();
  readonly #throttles = new Map<string, SiteThrottle>();
  /** The site and source that the mail of a lane used last. */
  readonly #lanes = new Map<string, { readonly site: MxSite; readonly source: SourceHost | undefined }>();
  readonly #shares: RateShares | undefined;
  readonly #connections = new OutgoingConnections();
  readonly #turns = new WeightedTurns();
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

  asksForTags(sender: MailSender): boolean {
    return this.rules.sources.asksForTags?.(sender) === true;
  }

  siteFor(request: SiteRequest): ChosenSite {
    const pool = this.rules.sources.poolOf(request.sender);
    const source = pool === undefined ? undefined : this.#sourceOf(pool, request);
    return { site: this.#siteOf(request, source), source, pool: pool?.name };
  }

  #siteOf(request: SiteRequest, source: SourceHost | undefined): MxSite {
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

  /** Nothing new is sent from these sources, by `keyOf`. Mail that no connection has taken waits as if it had never been handed over. */
  retire(sources: ReadonlySet<string>): void {
    for (const [key, site] of this.#sites) {
      if (!sources.has(site.sourceKey)) continue;
      this.#sites.delete(key);
      site.withdraw();
      void site.close();
    }
    for (const [lane, { site }] of this.#lanes) if (sources.has(site.sourceKey)) this.#lanes.delete(lane);
  }

  withdraw(): void {
    this.#isWithdrawn = true;
    for (const site of this.#sites.values()) site.withdraw();
  }

  async close(): Promise<void> {
    this.#shares?.stop();
    await Promise.all([...this.#sites.values()].map((site) => site.close()));
  }

  /** Only hosts with an address family of the mail hosts are used. Each carries its share. */
  #sourceOf({ name, hosts: sources }: SourcePool, { hosts }: SiteRequest): SourceHost {
    if (sources.length === 0) throw new NoSourceError(name);
    const able = sources.filter((source) =>
      hosts.some(({ addresses }) => addresses.some((address) => localAddressFor(source, address) !== undefined)),
    );
    if (able.length === 0)
      throw new NoSourceError(name, 'can reach the mail hosts, which have only the other IP version');
    return this.#turns.next(able);
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
