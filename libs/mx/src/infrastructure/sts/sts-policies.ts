import { lookup as lookUp } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { domainToASCII } from 'node:url';
import type { DeliveryOutcome } from '#delivery';
import { DnsResolver, DnsUnavailableError } from '#domains';
import { OutboundHttp } from '#http/outbound';
import { StoredStsPolicy, StsPolicyStore } from '../../application/ports/sts-policy-store.port.js';
import { announcedPolicyId, namesHost, readStsPolicy, StsPolicy } from '../../domain/sts-policy.js';
import { ExpiringCache } from '../sites/dns-cache.js';
import type { DnsCache } from '../sites/dns-cache.js';

interface StsPolicyFetcher {
  /** `owner` is the team whose mail waits. Teams take turns. */
  fetch(domain: string, owner: string): Promise<StsPolicy | undefined>;
  close(): void;
}

interface Decision {
  readonly policy: StsPolicy | undefined;
  readonly freshUntil: number;
}

const maxDomains = 20_000;
/**
 * Mail waits this long for a policy, once per domain. After that it goes with the stored policy, and the search
 * continues.
 */
const maxWaitMs = 10_000;
/** Minimum interval before a policy that could not be fetched is requested again (RFC 8461 section 3.3). */
const keepFailureMs = 300_000;
/** Maximum time until a newer policy stored by another worker is noticed. */
const maxKeepMs = 3_600_000;

/**
 * Finds the MTA-STS policy of a domain.
 *
 * The TXT record announces whether there is a policy newer than the stored one. If it announces none, or the newer
 * policy cannot be fetched, the stored policy is valid until it expires (RFC 8461 section 5.1).
 */
export class StsPolicies {
  readonly #decisions: ExpiringCache<string, Decision>;

  constructor(
    private readonly dns: DnsCache,
    private readonly source: StsPolicyFetcher,
    private readonly store: StsPolicyStore,
    private readonly options: { readonly waitMs?: number; readonly now?: () => Date } = {},
  ) {
    this.#decisions = new ExpiringCache(maxDomains, dns.now);
  }

  /**
   * Undefined if mail needs no policy, which includes the mode `none`. Never rejects, and waits no longer than
   * `waitMs`. A policy is fetched in the turn of the team that asks first.
   */
  async policyOf(domain: string, teamId: string): Promise<StsPolicy | undefined> {
    const name = domainToASCII(domain);
    if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name)) return undefined;
    const { policy } = await this.#decisions.get(
      name,
      () => this.#decide(name, teamId),
      (decision) => this.#left(decision),
    );
    return policy === undefined || policy.mode === 'none' ? undefined : policy;
  }

  close(): void {
    this.source.close();
  }

  /**
   * Returns the decision found in time. Otherwise it uses the stored policy, and the later result applies to later
   * mail.
   */
  async #decide(domain: string, teamId: string): Promise<Decision> {
    // If the store fails, mail is not kept back: it goes as for a domain that is seen for the first time.
    const kept = await this.store.find(domain, this.#now()).catch(() => undefined);
    let isLate = false;
    const found = this.#findOut(domain, teamId, kept).then((decision) => {
      if (isLate) this.#decisions.set(domain, decision, this.#left(decision));
      return decision;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Decision>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve(this.#until(this.dns.now() + keepFailureMs, kept));
      }, this.options.waitMs ?? maxWaitMs);
    });
    return Promise.race([found, late]).finally(() => clearTimeout(timer));
  }

  async #findOut(domain: string, teamId: string, kept: StoredStsPolicy | undefined): Promise<Decision> {
    const announced = await this.#announced(domain);
    if (announced === undefined) return this.#until(this.dns.now() + keepFailureMs, kept);
    const { id, freshUntil } = announced;
    if (id === undefined) return this.#until(freshUntil, kept);
    if (kept?.policyId === id && !this.#isHalfOver(kept)) return this.#until(freshUntil, kept);
    const fetched = await this.#fetch(domain, teamId, id);
    return fetched === undefined ? this.#until(this.dns.now() + keepFailureMs, kept) : this.#until(freshUntil, fetched);
  }

  /** Undefined if the DNS gives no answer. */
  async #announced(domain: string): Promise<{ id: string | undefined; freshUntil: number } | undefined> {
    try {
      const { records, freshUntil } = await this.dns.ask('txt', `_mta-sts.${domain}`);
      return { id: announcedPolicyId(records), freshUntil };
    } catch (error) {
      if (error instanceof DnsUnavailableError) return undefined;
      throw error;
    }
  }

  async #fetch(domain: string, teamId: string, policyId: string): Promise<StoredStsPolicy | undefined> {
    const policy = await this.source.fetch(domain, teamId);
    if (policy === undefined) return undefined;
    const fetched = { ...policy, domain, policyId, fetchedAt: this.#now() };
    await this.store.save(fetched).catch(() => undefined);
    return fetched;
  }

  /** An unchanged policy is fetched again after half of its time, so that it does not expire while it is announced. */
  #isHalfOver({ fetchedAt, maxAge }: StoredStsPolicy): boolean {
    return this.#now().getTime() > fetchedAt.getTime() + maxAge * 500;
  }

  #until(freshUntil: number, policy: StoredStsPolicy | undefined): Decision {
    const now = this.dns.now();
    const holdsFor =
      policy === undefined ? Infinity : policy.fetchedAt.getTime() + policy.maxAge * 1_000 - this.#now().getTime();
    return { policy, freshUntil: Math.min(freshUntil, now + maxKeepMs, now + holdsFor) };
  }

  #left({ freshUntil }: Decision): number {
    return freshUntil - this.dns.now();
  }

  #now(): Date {
    return this.options.now?.() ?? new Date();
  }
}

interface StsPolicySourceOptions {
  /** Whether policies may be fetched from this address. */
  readonly mayConnect?: (address: string) => boolean;
  /** Default: the public certificate authorities. */
  readonly ca?: string;
  /** Default 443, the only port in RFC 8461. */
  readonly port?: number;
  readonly timeoutMs?: number;
}

/** RFC 8461 section 3.3 suggests one minute and 64 KB. */
const maxFetchMs = 60_000;
const maxBytes = 65_536;

/** Fetches policies over HTTPS. Host names are resolved by the resolver of the mail hosts. */
export class StsPolicySource {
  readonly #http: OutboundHttp;

  constructor(
    dns: DnsResolver,
    private readonly options: StsPolicySourceOptions = {},
  ) {
    this.#http = new OutboundHttp({ allows: options.mayConnect, lookup: lookupThrough(dns), ca: options.ca });
  }

  /** Undefined if there is no policy or it is invalid. Redirects are not followed (section 3.3). */
  async fetch(domain: string, owner: string): Promise<StsPolicy | undefined> {
    const { port = 443, timeoutMs = maxFetchMs } = this.options;
    try {
      const { status, headers, body } = await this.#http.send({
        owner,
        url: `https://mta-sts.${domain}:${port}/.well-known/mta-sts.txt`,
        timeoutMs,
        maxBytes: maxBytes,
        maxRedirects: 0,
      });
      const isText = String(headers['content-type'] ?? '')
        .toLowerCase()
        .startsWith('text/plain');
      return status === 200 && isText ? readStsPolicy(body.toString('utf8')) : undefined;
    } catch {
      // After any error there is no policy: mail must still reach a domain whose policy cannot be fetched.
      return undefined;
    }
  }

  close(): void {
    this.#http.close();
  }
}

/** Has the signature of `dns.lookup` with all addresses. */
function lookupThrough(dns: DnsResolver): typeof lookUp {
  const through = (
    name: string,
    _options: unknown,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ): void => {
    Promise.all([dns.a(name), dns.aaaa(name)]).then(
      ([ipv4, ipv6]) =>
        callback(null, [
          ...ipv4.map((address) => ({ address, family: 4 })),
          ...ipv6.map((address) => ({ address, family: 6 })),
        ]),
      (error: Error) => callback(error, []),
    );
  };
  return through as unknown as typeof lookUp;
}

/**
 * Records why the policy would have refused the connection if it were enforced. A connection verified by DANE passes.
 */
export function withPolicyFailure(outcome: DeliveryOutcome, policy: StsPolicy): DeliveryOutcome {
  const { host, tls } = outcome.detail;
  if (host === undefined || tls === undefined) return outcome;
  const policyFailure = failureOf(host, tls, policy);
  if (policyFailure === undefined) return outcome;
  return { ...outcome, detail: { ...outcome.detail, tls: { ...tls, policyFailure } } };
}

function failureOf(
  host: string,
  tls: NonNullable<DeliveryOutcome['detail']['tls']>,
  policy: StsPolicy,
): string | undefined {
  if (!namesHost(policy, host)) return `the policy does not name ${host}`;
  if (tls.level === 'none') return `not encrypted: ${tls.plaintextReason ?? 'no TLS'}`;
  return tls.authorized ? undefined : `the certificate is not accepted: ${tls.certificateError ?? 'not verified'}`;
}
