import { createHash } from 'node:crypto';
import { DnsResolver, DnsUnavailableError } from '#domains';
import { domainOf } from '#kernel';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import type { DeliveryOutcome } from '../../domain/delivery-outcome.js';
import type { OutboundMessage } from '../../domain/outbound-message.js';
import { siteOf } from './mx/mail-hosts.js';
import type { MailHost } from './mx/mail-hosts.js';
import { MxLookup } from './mx/mx-lookup.js';
import { MxSite } from './mx/mx-site.js';
import type { MxHostOptions } from './mx/mx-site.js';
import { isPublicAddress } from './mx/public-address.js';
import { profileOf } from './mx/site-profiles.js';
import { assertHeloName } from './smtp/smtp-options.js';

export interface MxOptions extends Omit<MxHostOptions, 'tls'> {
  /** Lets mail reach loopback and private addresses. */
  readonly allowPrivateDestinations?: boolean;
  /** See `SmtpPoolOptions`. */
  readonly backOff?: number;
}

/** Enough to keep the connections of the widest site busy; a narrower one lets the rest wait in its pool. */
const deliveriesPerLane = 30;
const mostIdleSites = 1_000;
const longestLane = 200;

/**
 * Delivers straight to the mail hosts of each recipient's domain.
 *
 * A lane is a recipient domain, known without asking the DNS, so that acceptance never waits for it. What is shared by
 * domains with the same mail hosts, connections and their limits, is kept here by site: within one process a site has
 * one limit however many domains it serves; across processes each domain's lane is drained by one worker at a time.
 */
export class MxDeliveryTransport extends DeliveryTransport {
  readonly #lookup: MxLookup;
  readonly #sites = new Map<string, MxSite>();
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(
    dns: DnsResolver,
    private readonly options: MxOptions,
  ) {
    super();
    assertHeloName(options.heloName);
    const mayConnect = options.allowPrivateDestinations === true ? (): boolean => true : isPublicAddress;
    this.#lookup = new MxLookup(dns, { heloName: options.heloName, mayConnect });
  }

  laneOf(recipientDomain: string): string {
    const lane = `mx:${recipientDomain.toLowerCase()}`;
    if (lane.length <= longestLane) return lane;
    return `${lane.slice(0, longestLane - 44)}#${createHash('sha256').update(lane).digest('base64url')}`;
  }

  concurrencyOf(): number {
    return deliveriesPerLane;
  }

  /** Connections that the site with this name gets at present, where it is known; for the trace and the metrics. */
  connectionLimitOf(site: string): number | undefined {
    return this.#sites.get(`opportunistic ${site}`)?.connectionLimit;
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

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#underWay);
    await Promise.all([...this.#sites.values()].map((site) => site.close()));
  }

  async #deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    const startedAt = performance.now();
    const all = (outcome: DeliveryOutcome): DeliveryOutcome[] => message.recipients.map(() => outcome);
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const domain = domainOf(message.recipients[0] as string);
    const isAsked = !this.#lookup.knows(domain);
    try {
      const route = await this.#lookup.routeOf(domain);
      const dns = timeSince(startedAt);
      if (route.kind === 'hosts') {
        const outcomes = await this.#siteOf(route.hosts, message.tls).deliver(message, route.hosts);
        return isAsked ? outcomes.map((outcome) => withDnsTime(outcome, dns)) : outcomes;
      }
      const { reason, enhancedCode } = route;
      // No such domain, or one that takes no mail: the address is bad. Hosts without addresses may come back.
      const category = enhancedCode.startsWith('5.1.') ? 'bad-address' : 'policy';
      const detail = { enhancedCode, timings: isAsked ? { dns } : undefined, durationMs: elapsed() };
      return all({ kind: 'bounced', reason, category, detail });
    } catch (error) {
      if (!(error instanceof DnsUnavailableError)) throw error;
      const timings = isAsked ? { dns: timeSince(startedAt) } : undefined;
      const detail = { enhancedCode: '4.4.3', timings, durationMs: elapsed() };
      return all({ kind: 'deferred', reason: error.message, outcomeUnknown: false, isSiteTrouble: true, detail });
    }
  }

  #siteOf(hosts: readonly MailHost[], tls: OutboundMessage['tls']): MxSite {
    const name = siteOf(hosts);
    const key = `${tls ?? 'opportunistic'} ${name}`;
    const known = this.#sites.get(key);
    if (known !== undefined) return known;
    this.#forgetIdleSites();
    const [first] = hosts;
    const policy = tls === 'enforced' ? 'mandatory' : 'opportunistic';
    const site = new MxSite(name, profileOf(first?.name ?? ''), { ...this.options, tls: policy });
    this.#sites.set(key, site);
    return site;
  }

  /** Sites without connections lose what was learnt about them, the longest known first. */
  #forgetIdleSites(): void {
    if (this.#sites.size < mostIdleSites) return;
    for (const [key, site] of this.#sites) if (site.isEmpty) this.#sites.delete(key);
  }
}

function timeSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}

function withDnsTime(outcome: DeliveryOutcome, dns: number): DeliveryOutcome {
  return { ...outcome, detail: { ...outcome.detail, timings: { dns, ...outcome.detail.timings } } };
}
