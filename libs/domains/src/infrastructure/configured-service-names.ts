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
    this.trackingCa = values.trackingScheme === 'https' ? values.trackingCa : undefined;
  }

  hostsOf(region: string): ServiceHosts {
    const { spfInclude, trackingCa } = this;
    return { host: this.hosts.get(region) ?? this.mainHost, spfInclude, trackingCa };
  }
}
