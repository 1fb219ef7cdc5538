import { CertificateLease, KeyAndChain } from '../../domain/host-certificate.js';

export interface IssuedCertificate extends KeyAndChain {
  readonly notAfter: Date;
  readonly renewAt: Date;
  readonly dueAt: Date;
}

export interface FailedTry {
  readonly dueAt: Date;
  /** A sentence for customers. */
  readonly reason: string;
  readonly tries: number;
  /** Whether the order is given up. */
  readonly isOrderOver: boolean;
}

export interface HostCertificateView {
  readonly host: string;
  /** `pending`: none was issued yet. `issued`: there is a valid one. `failed`: there is none, and the last try failed. */
  readonly state: 'pending' | 'issued' | 'failed';
  /** Why there is none, or why it could not be renewed; null if all is well. */
  readonly reason: string | null;
  readonly notAfter: Date | null;
  /** When it is worked on next. */
  readonly nextTryAt: Date;
}

/** The lease ended while the work went on: another process may have the host now. */
export class LostLeaseError extends Error {}

/**
 * The hosts that are to have a certificate, and what became of each.
 *
 * A host comes from the configuration, or from a domain whose tracking record was seen. Methods that take a lease throw
 * `LostLeaseError` once another process has the host.
 */
export abstract class CertificateStore {
  /** Adds hosts of the service itself. One that no process has named for a week is removed. */
  abstract keepOwnHosts(hosts: readonly string[], now: Date): Promise<void>;

  /** Adds proven hosts of a domain, and removes those that it has no longer; of all domains without an id. */
  abstract followDomains(now: Date, domainId?: string): Promise<void>;

  /** Leases the host whose turn it is. Undefined: none is due, or the orders of this hour are used up. */
  abstract claim(now: Date): Promise<CertificateLease | undefined>;
  abstract extend(lease: CertificateLease, now: Date): Promise<void>;

  /** Whether the DNS record of the domain is verified now. */
  abstract isProven(lease: CertificateLease): Promise<boolean>;

  /** Records that an order is made. False if the registrable domain has had its share; then nothing is recorded. */
  abstract mayOrder(lease: CertificateLease, registrableDomain: string, now: Date): Promise<boolean>;
  abstract keepOrder(lease: CertificateLease, order: { readonly url: string; readonly key: string }): Promise<void>;
  abstract keepAnswer(lease: CertificateLease, token: string, answer: string): Promise<void>;

  abstract issued(lease: CertificateLease, certificate: IssuedCertificate, now: Date): Promise<void>;
  /** The host has no certificate any more, and is due. */
  abstract revoked(lease: CertificateLease, now: Date): Promise<void>;
  abstract failed(lease: CertificateLease, outcome: FailedTry, now: Date): Promise<void>;
  /** Nothing was tried. `renewAt` replaces the time of the renewal. */
  abstract postponed(lease: CertificateLease, dueAt: Date, reason: string | null, renewAt?: Date): Promise<void>;

  /** The hosts of the service itself, and those of customers that failed, 20 in all. */
  abstract views(): Promise<readonly HostCertificateView[]>;

  /** Seals everything with the current secret. */
  abstract reseal(): Promise<void>;
}
