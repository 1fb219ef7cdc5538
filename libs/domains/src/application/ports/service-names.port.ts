import { ServiceHosts } from '../../domain/expected-record.js';

/** The regions of this service, and the DNS names of each. */
export abstract class ServiceNames {
  /** In the order of the configuration; the first one is the default. Never empty. */
  abstract readonly regions: readonly string[];

  /** For a region that is no longer configured, returns the hosts of the first region. */
  abstract hostsOf(region: string): ServiceHosts;
}
