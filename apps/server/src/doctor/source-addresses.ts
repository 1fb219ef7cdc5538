import { sourceHostsIn } from '#mx';
import type { SourceHost } from '#mx';
import { readFile } from 'node:fs/promises';
import { DnsResolver, ServiceNames } from '#domains';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';

/** The source addresses of outgoing mail: those configured, or those of the service's own hosts. */
@Injectable()
export class SourceAddresses {
  constructor(
    private readonly config: Config,
    private readonly dns: DnsResolver,
    private readonly serviceNames: ServiceNames,
  ) {}

  async list(): Promise<readonly string[]> {
    const { sourceAddresses } = this.config.values;
    if (sourceAddresses.length > 0) return sourceAddresses;
    const addresses = await Promise.all(this.hosts().map((host) => this.ofHost(host)));
    return [...new Set(addresses.flat())];
  }

  /** The source hosts that the routes file names. */
  async pooled(): Promise<readonly SourceHost[]> {
    const { routesFile } = this.config.values;
    return routesFile === undefined ? [] : sourceHostsIn(await readFile(routesFile, 'utf8'));
  }

  hosts(): readonly string[] {
    return [...new Set(this.serviceNames.regions.map((region) => this.serviceNames.hostsOf(region).host))];
  }

  async ofHost(host: string): Promise<readonly string[]> {
    return (await Promise.all([this.dns.a(host), this.dns.aaaa(host)])).flat();
  }
}
