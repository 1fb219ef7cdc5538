import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { AuthorityRefusal } from '../domain/authority-refusal.js';
import {
  CertificateLease,
  nextLook,
  RenewalWindow,
  renewalWithin,
  retryAfterMs,
  usualRenewal,
} from '../domain/host-certificate.js';
import { CertificateAuthority } from './ports/certificate-authority.port.js';
import { CertificateStore, LostLeaseError } from './ports/certificate-store.port.js';

const hour = 3_600_000;
/** Names that no public authority knows (RFC 6761, RFC 6762). */
const privateName = /(?:^|\.)(?:invalid|localhost|local)$/;

/** The refusal of the authority, if it is one. */
export type ObtainedCertificate = 'issued' | 'postponed' | 'revoked' | AuthorityRefusal;

/**
 * Orders certificates and renews them, one host at a time. No transaction is open while the authority is asked; what must not be
 * asked twice, the order, is stored as soon as it is known, so that after the death of a process another one continues it.
 */
@Injectable()
export class ObtainCertificates {
  constructor(
    private readonly store: CertificateStore,
    private readonly authority: CertificateAuthority,
    private readonly clock: Clock,
  ) {}

  /** Makes the hosts those of the service, without the ones that no authority knows, and the proven ones of all domains. */
  async keepHosts(own: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const known = own.filter((host) => registrableDomain(host) !== undefined && !privateName.test(host));
    await this.store.keepOwnHosts([...new Set(known)], now);
    await this.store.followDomains(now);
  }

  followDomain(domainId: string): Promise<void> {
    return this.store.followDomains(this.clock.now(), domainId);
  }

  claim(): Promise<CertificateLease | undefined> {
    return this.store.claim(this.clock.now());
  }

  extend(lease: CertificateLease): Promise<void> {
    return this.store.extend(lease, this.clock.now());
  }

  /** Returns what became of it, undefined if the lease was lost or the process stops. */
  async obtain(lease: CertificateLease, stopping: AbortSignal): Promise<ObtainedCertificate | undefined> {
    try {
      return await this.attempt(lease, stopping);
    } catch (error) {
      if (error instanceof LostLeaseError || stopping.aborted) return undefined;
      if (!(error instanceof AuthorityRefusal)) throw error;
      const tries = lease.tries + 1;
      const dueAt = this.after(retryAfterMs(tries, error.retryAfterMs));
      const { message: reason, isOrderOver } = error;
      await this.store.failed(lease, { dueAt, reason, tries, isOrderOver }, this.clock.now());
      return error;
    }
  }

  private async attempt(lease: CertificateLease, stopping: AbortSignal): Promise<ObtainedCertificate> {
    const { host, current } = lease;
    if (lease.isRevoked && current !== null) {
      await this.authority.revoke(host, current.chain);
      await this.store.revoked(lease, this.clock.now());
      return 'revoked';
    }
    if (!(await this.store.isProven(lease))) {
      return this.postpone(lease, 'The CNAME record of the host is not verified now.');
    }
    if (await this.isTooEarly(lease)) return 'postponed';
    const order = lease.order ?? (await this.order(lease));
    if (order === undefined) {
      return this.postpone(lease, 'The domain has had many certificates this week; it gets more later.');
    }
    const present = (token: string, answer: string): Promise<void> => this.store.keepAnswer(lease, token, answer);
    const chain = await this.authority.complete({ ...order, host, present, stopping });
    await this.keep(lease, order.key, chain);
    return 'issued';
  }

  /** Whether the certificate there is need not be renewed yet. The authority may have moved its window. */
  private async isTooEarly(lease: CertificateLease): Promise<boolean> {
    const { current } = lease;
    const now = this.clock.now();
    if (current === null || lease.order !== null || current.renewAt <= now) return false;
    const window = await this.windowOf(current.chain);
    if (window !== undefined && window.start <= now) return false;
    // A time within the window was chosen once. It is kept while it is within it.
    const isMoved = window !== undefined && (current.renewAt < window.start || current.renewAt > window.end);
    const renewAt = isMoved ? renewalWithin(window, Math.random()) : current.renewAt;
    await this.store.postponed(lease, nextLook(renewAt, window !== undefined, now), null, renewAt);
    return true;
  }

  private async order(lease: CertificateLease): Promise<{ url: string; key: string } | undefined> {
    const { host } = lease;
    const domain = registrableDomain(host) ?? host;
    if (!(await this.store.mayOrder(lease, domain, this.clock.now()))) return undefined;
    const order = { url: await this.authority.order(host, lease.current?.chain), key: newKey() };
    await this.store.keepOrder(lease, order);
    return order;
  }

  private async keep(lease: CertificateLease, key: string, chain: string): Promise<void> {
    const { validFrom, validTo } = new X509Certificate(chain);
    const now = this.clock.now();
    const notAfter = new Date(validTo);
    const window = await this.windowOf(chain);
    const usual = usualRenewal(new Date(validFrom), notAfter);
    const renewAt = window === undefined ? usual : renewalWithin(window, Math.random());
    // A window that has begun already, of an authority in trouble, must not lead to one order after the other.
    const dueAt = new Date(
      Math.max(nextLook(renewAt, window !== undefined, now).getTime(), this.after(hour).getTime()),
    );
    await this.store.issued(lease, { key, chain, notAfter, renewAt, dueAt }, now);
  }

  /** An authority that does not say its window now is one that has none. */
  private windowOf(chain: string): Promise<RenewalWindow | undefined> {
    return this.authority.renewalWindow(chain).catch(() => undefined);
  }

  private async postpone(lease: CertificateLease, reason: string): Promise<'postponed'> {
    await this.store.postponed(lease, this.after(hour), reason);
    return 'postponed';
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}

/** Undefined for an IP address, a name of one label, and a public suffix. */
function registrableDomain(host: string): string | undefined {
  return getDomain(host, { allowPrivateDomains: false, validateHostname: true }) ?? undefined;
}

/** Private key for a certificate, P-256 in PEM. Takes less than a millisecond. */
function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
