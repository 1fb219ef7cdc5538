import { hostname } from 'node:os';
import { parseDomainName } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { ServiceNames } from '../application/ports/service-names.port.js';
import { ServiceHosts } from '../domain/expected-record.js';

/**
 * A name that can never be a host (RFC 6761). It shows that the host name is not configured, and no one can publish it
 * by mistake.
 */
const placeholder = 'set-host-name.invalid';

@Injectable()
export class ConfiguredServiceNames extends ServiceNames {
  readonly regions: readonly string[];
  private readonly hosts: ReadonlyMap<string, string>;
  private readonly mainHost: string;
  private readonly spfInclude: string | undefined;
  private readonly trackingCa: string | undefined;

  constructor({ values }: Config) {
    super();
    this.mainHost =
      values.hostName ?? parseDomainName(values.heloName ?? '') ?? parseDomainName(hostname()) ?? placeholder;
    this.regions = values.regions.map(({ name }) => name);
    this.hosts = new Map(values.regions.map(({ name, host }) => [name, host ?? this.mainHost]));
    this.spfInclude = values.spfInclude;
    this.trackingCa = values.trackingScheme === 'https' || values.tlsAcme === 'on' ? values.trackingCa : undefined;
  }

  hostsOf(region: string): ServiceHosts {
    const { spfInclude, trackingCa } = this;
    const host = this.hosts.get(region) ?? this.mainHost;
    return { host, standInHost: this.hostAfter(region, host), spfInclude, trackingCa };
  }

  /** That of the next region in their order, from the last one to the first, with a host of its own. */
  private hostAfter(region: string, host: string): string | undefined {
    const at = this.regions.indexOf(region) + 1;
    const others = [...this.regions.slice(at), ...this.regions.slice(0, at)];
    return others.map((name) => this.hosts.get(name)).find((other) => other !== undefined && other !== host);
  }
}
