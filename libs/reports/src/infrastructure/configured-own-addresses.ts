import { DnsResolver, DnsUnavailableError, ServiceNames } from '#domains';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { OwnAddresses } from '../application/ports/report-statistics.port.js';

/** The configured source addresses, and those of the region's host, from which mail is sent by default. */
@Injectable()
export class ConfiguredOwnAddresses extends OwnAddresses {
  constructor(
    private readonly config: Config,
    private readonly dns: DnsResolver,
    private readonly serviceNames: ServiceNames,
  ) {
    super();
  }

  async of(region: string): Promise<ReadonlySet<string>> {
    const { host } = this.serviceNames.hostsOf(region);
    const found = await Promise.all([this.ask('a', host), this.ask('aaaa', host)]);
    return new Set([...this.config.values.sourceAddresses, ...found.flat()]);
  }

  private async ask(type: 'a' | 'aaaa', host: string): Promise<readonly string[]> {
    try {
      return (await this.dns.ask(type, host)).records;
    } catch (error) {
      if (error instanceof DnsUnavailableError) return [];
      throw error;
    }
  }
}
