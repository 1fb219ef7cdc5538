import { domainToASCII } from 'node:url';
import { DnsUnavailableError } from '#domains';
import { StoredStsPolicy, StsPolicyStore } from '../../application/ports/sts-policy-store.port.js';
import { announcedPolicyId, StsPolicy } from '../../domain/sts-policy.js';
import type { DnsCache } from '../sites/dns-cache.js';
import { ExpiringCache } from '../sites/expiring-cache.js';

export interface StsPolicyFetcher {
  fetch(domain: string): Promise<StsPolicy | undefined>;
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
   * `waitMs`.
   */
  async policyOf(domain: string): Promise<StsPolicy | undefined> {
    const name = domainToASCII(domain);
    if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name)) return undefined;
    const { policy } = await this.#decisions.get(
      name,
      () => this.#decide(name),
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
  async #decide(domain: string): Promise<Decision> {
    // If the store fails, mail is not kept back: it goes as for a domain that is seen for the first time.
    const kept = await this.store.find(domain, this.#now()).catch(() => undefined);
    let isLate = false;
    const found = this.#findOut(domain, kept).then((decision) => {
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

  async #findOut(domain: string, kept: StoredStsPolicy | undefined): Promise<Decision> {
    const announced = await this.#announced(domain);
    if (announced === undefined) return this.#until(this.dns.now() + keepFailureMs, kept);
    const { id, freshUntil } = announced;
    if (id === undefined) return this.#until(freshUntil, kept);
    if (kept?.policyId === id && !this.#isHalfOver(kept)) return this.#until(freshUntil, kept);
    const fetched = await this.#fetch(domain, id);
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

  async #fetch(domain: string, policyId: string): Promise<StoredStsPolicy | undefined> {
    const policy = await this.source.fetch(domain);
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
