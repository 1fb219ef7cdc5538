import { hostname } from 'node:os';
import { parseDomainName } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, Finding, green, red } from '../check.js';
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

  async run(): Promise<readonly Finding[]> {
    const { deliveryTransport, heloName } = this.config.values;
    if (deliveryTransport === 'sandbox') return [green('not needed with DELIVERY_TRANSPORT=sandbox')];
    const name = heloName ?? hostname();
    if (parseDomainName(name) === undefined) {
      return [red('is not a full host name', 'Set HELO_NAME to the name that the address has in the DNS.', name)];
    }
    if ((await this.addresses.ofHost(name)).length > 0) return [green('has addresses', name)];
    return [
      red(
        'has no address in the DNS',
        `Publish an A record of ${name}, or set HELO_NAME to a name that has one.`,
        name,
      ),
    ];
  }
}
