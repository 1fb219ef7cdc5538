import { UnknownRegionError } from '../../domain/domain-errors.js';
import { ServiceHosts } from '../../domain/expected-record.js';

/** The regions of this service, and the DNS names of each. */
export abstract class ServiceNames {
  /** In the order of the configuration; the first one is the default. Never empty. */
  abstract readonly regions: readonly string[];

  /** The region of a domain that asks for `region`: the default if it asks for none. Throws UnknownRegionError. */
  regionOf(region: string | undefined): string {
    const [first] = this.regions as [string];
    if (region === undefined) return first;
    if (!this.regions.includes(region)) throw new UnknownRegionError(this.regions);
    return region;
  }

  /** For a region that is no longer configured, returns the hosts of the first region. */
  abstract hostsOf(region: string): ServiceHosts;
}

/**
 * Whether mail from a sandbox domain may be sent at all. The delivery lib implements it. A sandbox domain is verified
 * without DNS and belongs to no one, so its mail must not reach the internet.
 */
export abstract class SandboxPolicy {
  /** True only if mail stays on this machine, or if the operator has allowed sandbox mail to be sent. */
  abstract readonly allowsSandboxDomains: boolean;
}

/** What is known of the certificate of a tracking host. */
export interface TrackingCertificate {
  readonly host: string;
  readonly state: 'pending' | 'issued' | 'failed';
  /** A sentence for the customer; null if all is well. */
  readonly reason: string | null;
  readonly notAfter: Date | null;
  /** Null while nothing is wrong. */
  readonly nextTryAt: Date | null;
}

/** The certificates that this service gets for the tracking hosts of domains. The certificates lib implements it. */
export abstract class TrackingCertificates {
  /** Undefined if the service gets none for the domain. */
  abstract findFor(domainId: string): Promise<TrackingCertificate | undefined>;
}
