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
/** Mail waits so long for a policy, once a domain; then it goes with what is kept, while the search goes on. */
const maxWaitMs = 10_000;
/** A policy that could not be fetched is not asked for sooner (RFC 8461 section 3.3). */
const keepFailureMs = 300_000;
/** How long another worker's newer policy may go unseen. */
const maxKeepMs = 3_600_000;

/**
 * Which MTA-STS policy holds for a domain.
 *
 * The TXT record says whether there is a newer one than ours. Where it says nothing, or the newer one cannot be fetched,
 * the one that is kept holds on until its time is over (RFC 8461 section 5.1).
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

  /** Undefined where mail goes without one, `none` included. Never rejects, and takes no longer than it may. */
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

  /** What is found out in time; otherwise what is kept, and what is found out for the mail after. */
  async #decide(domain: string): Promise<Decision> {
    // Trouble of the store is no reason to keep mail back: then it goes as for a domain that is seen for the first time.
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

  /** Undefined where the DNS does not answer. */
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

  /** At half its time a policy that has not changed is fetched anew, so that it never runs out while it is announced. */
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
