import { DnsResolver, DnsUnavailableError } from '#domains';
import type { MxRecord } from '#domains';
import { ExpiringCache } from './expiring-cache.js';
import { interleaved } from './mail-hosts.js';
import type { MailHost, MailRoute } from './mail-hosts.js';

/** The port has no TTL; five minutes is what most zones of mail hosts give, and a moved host is found soon enough. */
const keepMs = 300_000;
/** A domain without mail may be set up right now. */
const keepUndeliverableMs = 60_000;
/** A resolver in trouble is not asked once a message. */
const keepFailureMs = 5_000;
const mostDomains = 20_000;
/** Whoever publishes more hosts does not want mail faster. */
const mostHosts = 10;
const mostAddresses = 6;

export interface MxLookupOptions {
  /** Our own name: hosts no better than ourselves are left out (RFC 5321 section 5.1). */
  readonly heloName: string;
  readonly mayConnect: (address: string) => boolean;
}

/** Finds the hosts that receive mail for a domain (RFC 5321 section 5.1, RFC 7505), with their addresses. */
export class MxLookup {
  readonly #routes = new ExpiringCache<string, MailRoute | DnsUnavailableError>(mostDomains);

  constructor(
    private readonly dns: DnsResolver,
    private readonly options: MxLookupOptions,
  ) {}

  /** Whether it will be answered without asking the DNS. */
  knows(domain: string): boolean {
    return this.#routes.has(domain.toLowerCase());
  }

  /** Rejects with `DnsUnavailableError` where the DNS gave no answer that could be acted upon. */
  async routeOf(domain: string): Promise<MailRoute> {
    const route = await this.#routes.get(domain.toLowerCase(), (name) => this.#lookUp(name), keepTimeOf);
    if (route instanceof DnsUnavailableError) throw route;
    return route;
  }

  async #lookUp(domain: string): Promise<MailRoute | DnsUnavailableError> {
    try {
      const records = await this.dns.mx(domain);
      if (records.length === 0) return await this.#implicit(domain);
      if (records.every(({ exchange }) => exchange === '')) {
        return undeliverable('5.1.10', `${domain} takes no mail: it has a null MX record (RFC 7505)`);
      }
      return await this.#explicit(domain, records);
    } catch (error) {
      if (error instanceof DnsUnavailableError) return error;
      throw error;
    }
  }

  /** Without MX records the domain is its own mail host. */
  async #implicit(domain: string): Promise<MailRoute> {
    const addresses = await this.#addressesOf(domain);
    if (addresses.length === 0) return undeliverable('5.1.2', `${domain} has neither MX nor address records`);
    return this.#reachable(domain, [{ name: domain, preference: 0, addresses }]);
  }

  async #explicit(domain: string, records: readonly MxRecord[]): Promise<MailRoute> {
    const usable = this.#betterThanOurselves(records.filter(({ exchange }) => exchange !== ''));
    if (usable.length === 0) return undeliverable('5.4.6', `The mail of ${domain} would loop back to this machine`);
    const answers = await Promise.all(usable.map((record) => this.#hostOf(record)));
    const hosts = answers.filter((answer) => !(answer instanceof DnsUnavailableError) && answer.addresses.length > 0);
    if (hosts.length > 0) return this.#reachable(domain, hosts as MailHost[]);
    const trouble = answers.find((answer) => answer instanceof DnsUnavailableError);
    if (trouble !== undefined) throw trouble;
    return undeliverable('5.4.4', `None of the MX hosts of ${domain} has an address`);
  }

  #betterThanOurselves(records: readonly MxRecord[]): MxRecord[] {
    const own = records.find(({ exchange }) => exchange.toLowerCase() === this.options.heloName.toLowerCase());
    return records
      .filter(({ preference }) => own === undefined || preference < own.preference)
      .sort((a, b) => a.preference - b.preference || (a.exchange < b.exchange ? -1 : 1))
      .slice(0, mostHosts);
  }

  async #hostOf({ exchange, preference }: MxRecord): Promise<MailHost | DnsUnavailableError> {
    try {
      return { name: exchange, preference, addresses: await this.#addressesOf(exchange) };
    } catch (error) {
      if (error instanceof DnsUnavailableError) return error;
      throw error;
    }
  }

  /** Where one family is there, trouble with the other does not matter. */
  async #addressesOf(name: string): Promise<string[]> {
    const [ipv6, ipv4] = await Promise.allSettled([this.dns.aaaa(name), this.dns.a(name)]);
    const addresses = interleaved(
      ipv6.status === 'fulfilled' ? ipv6.value : [],
      ipv4.status === 'fulfilled' ? ipv4.value : [],
    );
    if (addresses.length > 0) return addresses;
    const failed = [ipv4, ipv6].find((answer) => answer.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return [];
  }

  #reachable(domain: string, hosts: readonly MailHost[]): MailRoute {
    const reachable = hosts
      .map((host) => ({ ...host, addresses: host.addresses.filter(this.options.mayConnect).slice(0, mostAddresses) }))
      .filter(({ addresses }) => addresses.length > 0);
    if (reachable.length > 0) return { kind: 'hosts', hosts: reachable };
    return undeliverable('5.4.4', `The mail hosts of ${domain} have no public address`);
  }
}

function keepTimeOf(route: MailRoute | DnsUnavailableError): number {
  if (route instanceof DnsUnavailableError) return keepFailureMs;
  return route.kind === 'hosts' ? keepMs : keepUndeliverableMs;
}

function undeliverable(enhancedCode: string, reason: string): MailRoute {
  return { kind: 'undeliverable', enhancedCode, reason };
}
