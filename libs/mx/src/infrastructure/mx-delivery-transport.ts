import { DnsResolver, DnsUnavailableError } from '#domains';
import { domainOf } from '#kernel';
import { isPublicAddress } from '#http/outbound';
import { DeliveryTransport } from '#delivery';
import type { DeliveryOutcome, LaneLimits, OutboundMessage } from '#delivery';
import { assertHeloName } from '#smtp-client';
import { namesHost, StsPolicy } from '../domain/sts-policy.js';
import { DnsCache } from './sites/dns-cache.js';
import { MxLookup } from './sites/mx-lookup.js';
import type { MailHost } from './sites/mx-lookup.js';
import { localAddressFor, NoSourceError, shippedRules } from './sites/source-hosts.js';
import type { MxRules } from './sites/source-hosts.js';
import { MxSites } from './sites/mx-sites.js';
import type { ChosenSite } from './sites/mx-sites.js';
import type { MxHostOptions, SitePolicy } from './sites/mx-site.js';
import { SiteSlots, UnsharedSiteSlots } from './sites/site-sharing.js';
import type { OtherWorkers } from './sites/site-sharing.js';
import { withPolicyFailure } from './sts/sts-policies.js';
import type { StsPolicies } from './sts/sts-policies.js';

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
    this.#sites = new MxSites(forHosts, rules ?? shippedRules, slots ?? new UnsharedSiteSlots(), others);
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
      const [route, sts] = await Promise.all([this.#lookup.routeOf(domain), this.#sts?.policyOf(domain)]);
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
