import { DnsResolver, DnsUnavailableError } from '#domains';
import type { MxRecord } from '#domains';
import { usableRecords } from './dane.js';
import type { DaneRequirement } from './dane.js';
import { DnsCache, ExpiringCache } from './dns-cache.js';
import type { CachedAnswer } from './dns-cache.js';

/** After a failure the resolver is not asked again for this long, so that it is not asked for each message. */
const keepFailureMs = 5_000;
/** A partial answer is kept for this time only. */
const keepPartMs = 60_000;
const defaultMaxDomains = 20_000;
/** Maximum number of hosts used per domain. */
const maxHosts = 10;
const maxAddresses = 6;

interface MxLookupOptions {
  /** Our own name: hosts whose preference is not better than our own are left out (RFC 5321 section 5.1). */
  readonly heloName: string;
  readonly mayConnect: (address: string) => boolean;
  /** Whether mail sent to the address would return to us. */
  readonly isOwnAddress?: (address: string) => boolean;
  /** The port whose TLSA records are honored (RFC 7672). Absent: TLSA records are ignored. */
  readonly danePort?: number;
  /** Number of domains whose route is kept. */
  readonly maxDomains?: number;
}

interface KnownRoute {
  readonly route: MailRoute;
  readonly freshUntil: number;
}

interface KnownHost {
  readonly host: MailHost;
  readonly freshUntil: number;
}

/** Finds the hosts that receive mail for a domain (RFC 5321 section 5.1, RFC 7505), with their addresses. */
export class MxLookup {
  readonly #dns: DnsCache;
  readonly #dane: DaneLookup | undefined;
  readonly #routes: ExpiringCache<string, KnownRoute | DnsUnavailableError>;

  constructor(
    dns: DnsResolver | DnsCache,
    private readonly options: MxLookupOptions,
  ) {
    this.#dns = dns instanceof DnsCache ? dns : new DnsCache(dns);
    this.#dane = options.danePort === undefined ? undefined : new DaneLookup(this.#dns, options.danePort);
    this.#routes = new ExpiringCache(options.maxDomains ?? defaultMaxDomains, this.#dns.now);
  }

  /** Whether `routeOf` is answered without asking the DNS. */
  knows(domain: string): boolean {
    return this.#routes.has(domain.toLowerCase());
  }

  /** Rejects with `DnsUnavailableError` if the DNS gave no usable answer. */
  async routeOf(domain: string): Promise<MailRoute> {
    const known = await this.#routes.get(
      domain.toLowerCase(),
      (name) => this.#lookUp(name),
      (found) => (found instanceof DnsUnavailableError ? keepFailureMs : found.freshUntil - this.#dns.now()),
    );
    if (known instanceof DnsUnavailableError) throw known;
    return known.route;
  }

  async #lookUp(domain: string): Promise<KnownRoute | DnsUnavailableError> {
    try {
      const answer = await this.#dns.ask('mx', domain);
      const { records, freshUntil } = answer;
      if (records.length === 0) return await this.#implicit(domain, answer);
      if (records.every(({ exchange }) => exchange === '')) {
        return undeliverable('5.1.10', `${domain} takes no mail: it has a null MX record (RFC 7505)`, freshUntil);
      }
      return await this.#explicit(domain, answer);
    } catch (error) {
      if (error instanceof DnsUnavailableError) return error;
      throw error;
    }
  }

  /** Without MX records the domain is its own mail host. */
  async #implicit(domain: string, answer: CachedAnswer<MxRecord>): Promise<KnownRoute> {
    const known = await this.#hostOf(domain, answer, { exchange: domain, preference: 0 });
    const freshUntil = Math.min(answer.freshUntil, known.freshUntil);
    if (known.host.addresses.length === 0) {
      return undeliverable('5.1.2', `${domain} has neither MX nor address records`, freshUntil);
    }
    return this.#reachable(domain, [known.host], freshUntil);
  }

  async #explicit(domain: string, answer: CachedAnswer<MxRecord>): Promise<KnownRoute> {
    const usable = this.#betterThanOurselves(answer.records.filter(({ exchange }) => exchange !== ''));
    if (usable.length === 0) return loop(domain, answer.freshUntil);
    const answers = await Promise.allSettled(usable.map((record) => this.#hostOf(domain, answer, record)));
    const known = answers.flatMap((found) => (found.status === 'fulfilled' ? [found.value] : []));
    const trouble = answers.find((found) => found.status === 'rejected');
    const part = trouble === undefined ? Infinity : this.#dns.now() + keepPartMs;
    const freshUntil = Math.min(part, answer.freshUntil, ...known.map((host) => host.freshUntil));
    const hosts = known.map(({ host }) => host).filter(({ addresses }) => addresses.length > 0);
    const found =
      hosts.length > 0
        ? this.#reachable(domain, hosts, freshUntil)
        : undeliverable('5.4.4', `None of the MX hosts of ${domain} has an address`, freshUntil);
    // The host whose look-up failed may be the one that takes the mail.
    if (found.route.kind === 'undeliverable' && trouble !== undefined) throw trouble.reason;
    return found;
  }

  #betterThanOurselves(records: readonly MxRecord[]): MxRecord[] {
    const own = records.find(({ exchange }) => exchange.toLowerCase() === this.options.heloName.toLowerCase());
    return records
      .filter(({ preference }) => own === undefined || preference < own.preference)
      .sort((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1))
      .slice(0, maxHosts);
  }

  /** If usable addresses of one family were found, a failure for the other family is ignored. */
  async #hostOf(domain: string, mx: CachedAnswer<MxRecord>, { exchange, preference }: MxRecord): Promise<KnownHost> {
    const answers = await Promise.allSettled([this.#dns.ask('aaaa', exchange), this.#dns.ask('a', exchange)]);
    const [ipv6, ipv4] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.records : []));
    const addresses = interleaved(ipv6 ?? [], ipv4 ?? []);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined && !addresses.some(this.options.mayConnect)) throw failed.reason;
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const dane = await this.#daneOf(domain, exchange, [mx, ...found]);
    const part = failed === undefined ? Infinity : this.#dns.now() + keepPartMs;
    return {
      host: { name: exchange, preference, addresses, dane: dane?.requirement },
      freshUntil: Math.min(part, dane?.freshUntil ?? Infinity, ...found.map((answer) => answer.freshUntil)),
    };
  }

  /** TLSA records count only if DNSSEC secures all answers that led to them (RFC 7672 section 2.2.1). */
  async #daneOf(
    domain: string,
    name: string,
    answers: readonly CachedAnswer<unknown>[],
  ): Promise<Awaited<ReturnType<DaneLookup['requirementOf']>> | undefined> {
    if (this.#dane === undefined || !answers.every(({ isAuthenticated }) => isAuthenticated)) return undefined;
    return this.#dane.requirementOf(domain, { name, canonicalName: answers[1]?.canonicalName ?? name });
  }

  #reachable(domain: string, hosts: readonly MailHost[], freshUntil: number): KnownRoute {
    const { isOwnAddress = () => false } = this.options;
    const own = hosts.filter(({ addresses }) => addresses.some(isOwnAddress)).map(({ preference }) => preference);
    const better = hosts.filter(({ preference }) => preference < Math.min(...own));
    if (better.length === 0) return loop(domain, freshUntil);
    const reachable = better
      .map((host) => ({ ...host, addresses: host.addresses.filter(this.options.mayConnect).slice(0, maxAddresses) }))
      .filter(({ addresses }) => addresses.length > 0);
    if (reachable.length > 0) return { route: { kind: 'hosts', hosts: reachable }, freshUntil };
    return undeliverable('5.4.4', `The mail hosts of ${domain} have no public address`, freshUntil);
  }
}

function loop(domain: string, freshUntil: number): KnownRoute {
  return undeliverable('5.4.6', `The mail of ${domain} would loop back to this machine`, freshUntil);
}

function undeliverable(enhancedCode: string, reason: string, freshUntil: number): KnownRoute {
  return { route: { kind: 'undeliverable', enhancedCode, reason }, freshUntil };
}

/** A host that receives mail for a domain. Its addresses are in the order in which they are to be tried. */
export interface MailHost {
  readonly name: string;
  readonly preference: number;
  readonly addresses: readonly string[];
  /** The requirement that its TLSA records set for every connection. */
  readonly dane?: DaneRequirement;
}

/** The route of a domain's mail. `undeliverable` is valid until the DNS changes. */
type MailRoute =
  | { readonly kind: 'hosts'; readonly hosts: readonly MailHost[] }
  | { readonly kind: 'undeliverable'; readonly enhancedCode: string; readonly reason: string };

/**
 * RFC 5321 section 5.1: lowest preference first. Hosts with equal preference are in random order, so that they share
 * the load.
 */
export function inOrderOfPreference(hosts: readonly MailHost[], random: () => number = Math.random): MailHost[] {
  return hosts
    .map((host) => ({ host, key: random() }))
    .sort((a, b) => a.host.preference - b.host.preference || a.key - b.key)
    .map(({ host }) => host);
}

/** Alternates IPv6 and IPv4 addresses, IPv6 first (RFC 8305 section 4). */
export function interleaved(ipv6: readonly string[], ipv4: readonly string[]): string[] {
  const addresses: string[] = [];
  for (let index = 0; index < Math.max(ipv6.length, ipv4.length); index++) {
    addresses.push(...ipv6.slice(index, index + 1), ...ipv4.slice(index, index + 1));
  }
  return addresses;
}

/** The name of the site: domains with the same mail hosts share a site, its connections and its limits. */
export function siteOf(hosts: readonly MailHost[]): string {
  return hosts
    .map(({ name }) => name)
    .sort()
    .join(',');
}

/** The properties of a mail host that DANE depends on. */
interface SecureHost {
  readonly name: string;
  /** The end of the alias chain of its name, if DNSSEC secures the chain. */
  readonly canonicalName: string;
}

interface DaneAnswer {
  readonly requirement: DaneRequirement | undefined;
  readonly freshUntil: number;
}

/** Looks up the DANE requirements of mail hosts in their TLSA records (RFC 7672 section 2.2). */
class DaneLookup {
  constructor(
    private readonly dns: DnsCache,
    private readonly port: number,
  ) {}

  /**
   * The requirement of a host whose MX and address records are secured by DNSSEC. There is none if the host has no TLSA
   * records secured by DNSSEC. Rejects with `DnsUnavailableError`: the host must not be used until its TLSA records are
   * known.
   */
  async requirementOf(domain: string, { name, canonicalName }: SecureHost): Promise<DaneAnswer> {
    let freshUntil = Infinity;
    for (const baseName of new Set([canonicalName, name])) {
      const answer = await this.dns.ask('tlsa', `_${this.port}._tcp.${baseName}`);
      freshUntil = Math.min(freshUntil, answer.freshUntil);
      if (!answer.isAuthenticated || answer.records.length === 0) continue;
      const otherNames = [name, domain].filter((other) => other !== baseName);
      return { requirement: { records: usableRecords(answer.records), baseName, otherNames }, freshUntil };
    }
    return { requirement: undefined, freshUntil };
  }
}
