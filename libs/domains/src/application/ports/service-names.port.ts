import { ServiceHosts } from '../../domain/expected-record.js';

/** The regions of this service, and the names under which each is known in the DNS. */
export abstract class ServiceNames {
  /** In the order of the configuration; the first one is the default. Never empty. */
  abstract readonly regions: readonly string[];

  /** Also answers for a region that is configured no more: its domains keep the first region's hosts. */
  abstract hostsOf(region: string): ServiceHosts;
}
