import type { LaneLimits } from '#delivery';
import { siteOf } from './mail-hosts.js';
import type { MailHost } from './mail-hosts.js';
import type { MxRules } from './mx-rules.js';
import { MxSite } from './mx-site.js';
import type { MxHostOptions, SitePolicy } from './mx-site.js';
import { OutgoingConnections } from './outgoing-connections.js';
import { RateShares } from './rate-shares.js';
import type { OtherWorkers } from './rate-shares.js';
import type { SiteSlots } from './site-slots.js';
import { SiteThrottle } from './site-throttle.js';
import { keyOf, localAddressFor } from './source-hosts.js';
import type { SourceHost } from './source-hosts.js';

const maxIdleSites = 1_000;
const maxLanes = 20_000;

export interface SiteWish {
  readonly lane: string;
  /** All hosts of the domain: what they bear does not depend on whom a policy leaves. */
  readonly all: readonly MailHost[];
  /** Those that the mail may go to. */
  readonly hosts: readonly MailHost[];
  readonly senderHost: string;
  readonly policy: SitePolicy;
}

/** The sites that are talked to, by their hosts, our own host and what the mail insists on; and what each bears. */
export class MxSites {
  readonly #sites = new Map<string, MxSite>();
  readonly #throttles = new Map<string, SiteThrottle>();
  /** Where the mail of a lane went last. */
  readonly #lanes = new Map<string, { readonly site: MxSite; readonly source: SourceHost | undefined }>();
  readonly #shares: RateShares | undefined;
  readonly #connections = new OutgoingConnections();
  #turn = 0;
  /** Sites at which idle ones are looked for: as many as stayed the last time may come before it is done again. */
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

  siteFor(wish: SiteWish): MxSite {
    const source = this.#sourceFor(wish);
    const name = siteOf(wish.all);
    const throttle = this.#throttle(name, source, wish.all);
    // Where DNSSEC vouches for the MX records of one domain and not of another, the same hosts are trusted differently.
    const bound = siteOf(wish.hosts.filter(({ dane }) => dane !== undefined));
    const key = `${wish.policy} ${siteOf(wish.hosts)} ${bound} ${keyOf(source)} ${name}`;
    let site = this.#sites.get(key);
    if (site === undefined) {
      this.#forgetIdleSites();
      site = new MxSite(name, throttle, this.slots, this.#connections, {
        ...this.options,
        policy: wish.policy,
        source,
      });
      if (this.#isWithdrawn) site.withdraw();
      this.#sites.set(key, site);
    }
    this.#remember(wish.lane, site, source);
    return site;
  }

  throttleOf(site: string, source?: SourceHost): SiteThrottle | undefined {
    return this.#throttles.get(`${site} ${keyOf(source)}`);
  }

  /** What holds the lane's mail back; undefined where nothing does. */
  limitsOf(lane: string): LaneLimits | undefined {
    const known = this.#lanes.get(lane);
    if (known === undefined) return undefined;
    const { site, source } = known;
    if (site.waiting === 0) return undefined;
    const { profile, connectionLimit, rate } = site.throttle;
    return {
      profile: profile.name,
      site: site.name,
      source: source?.heloName,
      heldBy: heldBy[site.isHeldBy ?? 'connections'],
      connections: { current: connectionLimit, most: profile.connections },
      messagesPerMinute: { current: rate.perMinute, most: rate.maxPerMinute },
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

  /** By turns, so that each carries its share; only those that share a family of addresses with the hosts. */
  #sourceFor({ senderHost, hosts }: SiteWish): SourceHost | undefined {
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

  /** Sites without connections lose what was learnt about them. */
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
