import { DnsResolver, DnsUnavailableError } from '#domains';
import { domainOf } from '#kernel';
import { isPublicAddress } from '#http/outbound';
import { DeliveryTransport } from '#delivery';
import type { DeliveryOutcome, LaneLimits, OutboundMessage } from '#delivery';
import { assertHeloName } from '#smtp-client';
import { namesHost, StsPolicy } from '../domain/sts-policy.js';
import { DnsCache } from './sites/dns-cache.js';
import { MxLookup, siteOf } from './sites/mx-lookup.js';
import type { MailHost } from './sites/mx-lookup.js';
import {
  keyOf,
  localAddressFor,
  type MailSender,
  type MxRules,
  NoSourceError,
  shippedRules,
  type SourceHost,
  type SourcePool,
  WeightedTurns,
} from './sites/source-hosts.js';
import { MxSite, SiteThrottle } from './sites/mx-site.js';
import type { MxHostOptions, SitePolicy } from './sites/mx-site.js';
import { RateShares, SiteSlots } from './sites/site-sharing.js';
import type { OtherWorkers } from './sites/site-sharing.js';
import { withPolicyFailure } from './sts/sts-policies.js';
import type { StsPolicies } from './sts/sts-policies.js';
import { OutgoingConnections } from './sites/outgoing-connections.js';

export interface MxOptions extends MxHostOptions {
  /** Lets mail reach loopback and private addresses. */
  readonly allowPrivateDestinations?: boolean;
  /** Whether a host at this address is this installation, so that mail to it would loop. */
  readonly isOwnAddress?: (address: string) => boolean;
  /**
   * Whether to honor TLSA records that the resolver has validated (RFC 7672). The connection to the resolver must be
   * secure.
   */
  readonly dane?: boolean;
  /** Default: no domain has a policy. */
  readonly stsPolicies?: (dns: DnsCache) => StsPolicies;
  /** Read anew for each message. */
  readonly rules?: MxRules;
  /** Default: this process is the only worker. */
  readonly slots?: SiteSlots;
  /** The workers among which the messages per minute of each site are divided. Default: none. */
  readonly others?: OtherWorkers;
  /** See `SmtpPoolOptions`. */
  readonly backOff?: number;
}

/** Enough to keep the connections of the widest site busy. At a narrower site the other deliveries wait in its pool. */
const deliveriesPerLane = 30;

/**
 * Delivers directly to the mail hosts of each recipient's domain.
 *
 * A lane is a recipient domain (`LanesByDestination`). Domains with the same mail hosts share a site, which owns the
 * connections and their limits: a site has one limit, however many domains it serves. `SiteSlots` and `RateShares` make
 * all workers together keep to it.
 */
export class MxDeliveryTransport extends DeliveryTransport {
  readonly #lookup: MxLookup;
  readonly #sts: StsPolicies | undefined;
  readonly #sites: MxSites;
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(dns: DnsResolver, options: MxOptions) {
    super();
    assertHeloName(options.heloName);
    const { allowPrivateDestinations, isOwnAddress, dane, stsPolicies, rules, slots, others, ...forHosts } = options;
    const mayConnect = allowPrivateDestinations === true ? (): boolean => true : isPublicAddress;
    const cache = new DnsCache(dns);
    const danePort = dane === true ? options.port : undefined;
    this.#lookup = new MxLookup(cache, { heloName: options.heloName, mayConnect, isOwnAddress, danePort });
    this.#sts = stsPolicies?.(cache);
    this.#sites = new MxSites(forHosts, rules ?? shippedRules, slots, others);
  }

  concurrencyOf(): number {
    return deliveriesPerLane;
  }

  override limitsOf(lane: string): LaneLimits | undefined {
    return this.#sites.limitsOf(lane);
  }

  /** The connection limit that the site has now; undefined if the site is unknown. */
  connectionLimitOf(site: string): number | undefined {
    return this.#sites.throttleOf(site)?.connectionLimit;
  }

  /** Nothing new is sent from these sources, by `keyOf`. */
  retire(sources: ReadonlySet<string>): void {
    this.#sites.retire(sources);
  }

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    if (this.#isClosed) throw new Error('The transport has been closed');
    const delivery = this.#deliver(message);
    this.#underWay.add(delivery);
    try {
      return await delivery;
    } finally {
      this.#underWay.delete(delivery);
    }
  }

  override withdraw(): void {
    this.#sites.withdraw();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    await this.#sites.close();
    this.#sts?.close();
  }

  async #deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    const startedAt = performance.now();
    const all = (outcome: DeliveryOutcome): DeliveryOutcome[] => message.recipients.map(() => outcome);
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const domain = domainOf(message.recipients[0] as string);
    const isAsked = !this.#lookup.knows(domain);
    try {
      const [route, sts] = await Promise.all([
        this.#lookup.routeOf(domain),
        this.#sts?.policyOf(domain, message.teamId),
      ]);
      const dns = timeSince(startedAt);
      if (route.kind === 'hosts') {
        const hosts = sts?.mode === 'enforce' ? route.hosts.filter(({ name }) => namesHost(sts, name)) : route.hosts;
        if (hosts.length > 0) {
          const outcomes = await this.#hand(message, route.hosts, hosts, sts);
          return isAsked ? outcomes.map((outcome) => withDnsTime(outcome, dns)) : outcomes;
        }
        const reason = `The MTA-STS policy of ${domain} allows none of its mail hosts (${namesOf(route.hosts)})`;
        const detail = { durationMs: elapsed() };
        return all({
          kind: 'deferred',
          reason,
          outcomeUnknown: false,
          isSiteTrouble: true,
          category: 'policy',
          detail,
        });
      }
      const { reason, enhancedCode } = route;
      // A domain that does not exist or accepts no mail makes the address bad. Hosts without addresses may come back.
      const category = enhancedCode.startsWith('5.1.') ? 'bad-address' : 'policy';
      const detail = { enhancedCode, timings: isAsked ? { dns } : undefined, durationMs: elapsed() };
      return all({ kind: 'bounced', reason, category, detail });
    } catch (error) {
      if (error instanceof NoSourceError) {
        return all({
          kind: 'deferred',
          reason: error.message,
          outcomeUnknown: false,
          category: 'our-fault',
          detail: { durationMs: elapsed() },
        });
      }
      if (!(error instanceof DnsUnavailableError)) throw error;
      const timings = isAsked ? { dns: timeSince(startedAt) } : undefined;
      const detail = { enhancedCode: '4.4.3', timings, durationMs: elapsed() };
      return all({ kind: 'deferred', reason: error.message, outcomeUnknown: false, isSiteTrouble: true, detail });
    }
  }

  async #hand(
    message: OutboundMessage,
    all: readonly MailHost[],
    hosts: readonly MailHost[],
    sts: StsPolicy | undefined,
  ): Promise<readonly DeliveryOutcome[]> {
    const { teamId, domainId, isBulk } = message;
    const sender = { host: domainOf(message.mailFrom), teamId, domainId, isBulk };
    const tags = this.#sites.asksForTags(sender) ? await message.tags?.() : undefined;
    const chosen = this.#sites.siteFor({
      lane: message.lane,
      all,
      hosts,
      sender: tags === undefined ? sender : { ...sender, tags },
      policy: policyFor(message, sts),
    });
    const delivered = await chosen.site.deliver(message, hosts);
    const outcomes = chosen.source === undefined ? delivered : delivered.map((outcome) => withSource(outcome, chosen));
    return sts?.mode === 'testing' ? outcomes.map((outcome) => withPolicyFailure(outcome, sts)) : outcomes;
  }
}

function policyFor({ tls }: OutboundMessage, sts: StsPolicy | undefined): SitePolicy {
  if (sts?.mode === 'enforce') return 'sts';
  return tls === 'enforced' ? 'encrypted' : 'opportunistic';
}

function namesOf(hosts: readonly MailHost[]): string {
  return hosts.map(({ name }) => name).join(', ');
}

function timeSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}

/** The address is known once a host was reached, because it is of the same family. */
function withSource(outcome: DeliveryOutcome, { source, pool }: ChosenSite): DeliveryOutcome {
  const { address } = outcome.detail;
  const sourceAddress =
    address === undefined || source === undefined
      ? undefined
      : localAddressFor(source, address.startsWith('[') ? '::' : address);
  return { ...outcome, detail: { ...outcome.detail, pool, sourceAddress } };
}

function withDnsTime(outcome: DeliveryOutcome, dns: number): DeliveryOutcome {
  return { ...outcome, detail: { ...outcome.detail, timings: { dns, ...outcome.detail.timings } } };
}

const maxIdleSites = 1_000;
const maxLanes = 20_000;

interface SiteRequest {
  readonly lane: string;
  /** All hosts of the domain. The site and its limits depend on these, even if a policy excludes some of them. */
  readonly all: readonly MailHost[];
  /** The hosts that the policy allows for this mail. */
  readonly hosts: readonly MailHost[];
  readonly sender: MailSender;
  readonly policy: SitePolicy;
}

/** A site, and where its mail leaves from. Without a source the operating system chooses the address. */
interface ChosenSite {
  readonly site: MxSite;
  readonly source?: SourceHost;
  readonly pool?: string;
}

/** The sites in use and their limits. A site is identified by its hosts, our source host and the required TLS. */
class MxSites {
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
    private readonly slots: SiteSlots | undefined,
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
    // DNSSEC may secure the MX records of one domain but not of another. The same hosts then have different DANE
    // requirements.
    const daneHosts = siteOf(request.hosts.filter(({ dane }) => dane !== undefined));
    const key = `${request.policy} ${siteOf(request.hosts)} ${daneHosts} ${keyOf(source)} ${name}`;
    let site = this.#sites.get(key);
    // First, because it removes limits that no site uses, and so those of a new site.
    if (site === undefined) this.#forgetIdleSites();
    const throttle = this.#throttle(name, source, request.all);
    if (site === undefined) {
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
