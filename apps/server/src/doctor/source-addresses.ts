import { AddressRepository, sourceHostsIn, sourceHostsOf } from '#mx';
import type { SendingAddress, SourceHost } from '#mx';
import { BlockList, isIPv6 } from 'node:net';
import { readFile } from 'node:fs/promises';
import { DnsResolver, returnPathHost, sendingRegion, ServiceNames } from '#domains';
import type { Domain } from '#domains';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';

/** Addresses that receivers never see. */
const privateNetworks = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv6');

/** Maximum number of addresses that are read at once. */
const pageSize = 100;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** The source addresses of outgoing mail. */
@Injectable()
export class SourceAddresses {
  constructor(
    private readonly config: Config,
    private readonly dns: DnsResolver,
    private readonly serviceNames: ServiceNames,
    private readonly stored: AddressRepository,
  ) {}

  /** The configured source addresses and those of all pools. Addresses of pools that receivers cannot see are left out. */
  async ofServiceAndPools(): Promise<readonly string[]> {
    return [...new Set([...(await this.ofService()), ...visibleAddresses(await this.pooledHosts())])];
  }

  /** The addresses that the mail of a domain may leave from. */
  async ofDomain(domain: Domain): Promise<readonly string[]> {
    const { routesFile, sourceAddresses } = this.config.values;
    if (routesFile !== undefined) {
      const routed = visibleAddresses(sourceHostsOf(await readFile(routesFile, 'utf8'), returnPathHost(domain)));
      if (routed.length > 0) return routed;
    }
    const pool = visibleAddresses((await this.stored.ofSender(domain.teamId, domain.id)).map(hostOf));
    if (pool.length > 0) return pool;
    if (sourceAddresses.length > 0) return sourceAddresses;
    return this.ofHost(this.serviceNames.hostsOf(sendingRegion(domain)).host);
  }

  /** The source hosts that the routes file names, and the addresses of the machine room that are in use. */
  async pooledHosts(): Promise<readonly SourceHost[]> {
    const { routesFile } = this.config.values;
    const named = routesFile === undefined ? [] : sourceHostsIn(await readFile(routesFile, 'utf8'));
    return [...named, ...(await this.ofMachineRoom())];
  }

  /** The names of the service's own hosts, in all regions. */
  hostNames(): readonly string[] {
    return [...new Set(this.serviceNames.regions.map((region) => this.serviceNames.hostsOf(region).host))];
  }

  async ofHost(host: string): Promise<readonly string[]> {
    return (await Promise.all([this.dns.a(host), this.dns.aaaa(host)])).flat();
  }

  /** The configured source addresses, or without them those of the service's own hosts. */
  private async ofService(): Promise<readonly string[]> {
    const { sourceAddresses } = this.config.values;
    if (sourceAddresses.length > 0) return sourceAddresses;
    const addresses = await Promise.all(this.hostNames().map((host) => this.ofHost(host)));
    return [...new Set(addresses.flat())];
  }

  private async ofMachineRoom(): Promise<SourceHost[]> {
    const hosts: SourceHost[] = [];
    let after: string | undefined;
    do {
      const { items, hasMore } = await this.stored.list({ limit: pageSize, after });
      hosts.push(...items.filter(({ state }) => state === 'active').map(hostOf));
      after = hasMore ? items.at(-1)?.id : undefined;
    } while (after !== undefined);
    return hosts;
  }
}

/** Addresses of the hosts that receivers can see: private ones are left out. */
function visibleAddresses(hosts: readonly SourceHost[]): readonly string[] {
  return hosts
    .flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6])
    .filter((address) => address !== undefined)
    .filter((address) => !privateNetworks.check(address, familyOf(address)));
}

function hostOf({ address, heloName }: SendingAddress): SourceHost {
  return isIPv6(address) ? { heloName, ipv6: address } : { heloName, ipv4: address };
}
