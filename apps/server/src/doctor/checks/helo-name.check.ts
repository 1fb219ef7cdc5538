import { hostname } from 'node:os';
import { parseDomainName } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import type { SourceHost } from '#mx';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';
import { SourceAddresses } from '../source-addresses.js';

/** The name given in EHLO must be a host name with addresses (RFC 5321 section 4.1.4). */
@Injectable()
export class HeloNameCheck extends DoctorCheck {
  readonly name = 'HELO name';

  constructor(
    private readonly addresses: SourceAddresses,
    private readonly config: Config,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const { deliveryTransport, heloName } = this.config.values;
    if (deliveryTransport === 'sandbox') return [green('not needed with DELIVERY_TRANSPORT=sandbox')];
    const pooled = deliveryTransport === 'mx' ? await this.addresses.pooledHosts() : [];
    return [
      await this.check(heloName ?? hostname()),
      ...(await Promise.all(pooled.map((source) => this.checkSource(source)))),
    ];
  }

  private async check(name: string): Promise<DoctorFinding> {
    if (parseDomainName(name) === undefined) {
      return red('is not a full host name', 'Set HELO_NAME to the name that the address has in the DNS.', name);
    }
    if ((await this.addresses.ofHost(name)).length > 0) return green('has addresses', name);
    const fix = `Publish an A record of ${name}, or set HELO_NAME to a name that has one.`;
    return red('has no address in the DNS', fix, name);
  }

  /** Behind a NAT, the local source address differs from the one that receivers see. */
  private async checkSource({ heloName, ipv4, ipv6 }: SourceHost): Promise<DoctorFinding> {
    const known = await this.addresses.ofHost(heloName);
    const publish = `Publish A or AAAA records of ${heloName} with the addresses that receivers see.`;
    if (known.length === 0) return red('has no address in the DNS', publish, heloName);
    const missing = [ipv4, ipv6].filter((address) => address !== undefined && !known.includes(address));
    if (missing.length === 0) return green('leads to its addresses', heloName);
    return yellow(`does not lead to ${missing.join(', ')}`, `${publish} Behind a NAT this is expected.`, heloName);
  }
}
