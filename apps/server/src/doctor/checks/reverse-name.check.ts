import { DnsResolver } from '#domains';
import { reverseNameOf } from '#mx';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';
import { SourceAddresses } from '../source-addresses.js';

/** Large receivers refuse mail from an address unless its reverse name resolves back to the address. */
@Injectable()
export class ReverseNameCheck extends DoctorCheck {
  readonly name = 'Reverse DNS';

  constructor(
    private readonly addresses: SourceAddresses,
    private readonly dns: DnsResolver,
    private readonly config: Config,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const { deliveryTransport } = this.config.values;
    if (deliveryTransport !== 'mx') return [green(`not needed with DELIVERY_TRANSPORT=${deliveryTransport}`)];
    const addresses = await this.addresses.ofServiceAndPools();
    if (addresses.length === 0) {
      return [
        yellow('the source addresses are not known', 'Set HOST_NAME to a name with addresses, or SOURCE_ADDRESSES.'),
      ];
    }
    return Promise.all(addresses.map((address) => this.check(address)));
  }

  private async check(address: string): Promise<DoctorFinding> {
    const { verdict, names } = await reverseNameOf(this.dns, address);
    if (verdict === 'missing') {
      return red(
        'has no reverse name (PTR)',
        `Have the provider of the address set its PTR record to a host name whose A or AAAA record is ${address}.`,
        address,
      );
    }
    if (verdict === 'confirmed') return green(`is ${names.join(', ')} and back`, address);
    return red(
      `its reverse name ${names.join(', ')} does not lead back to it`,
      `Publish an A or AAAA record of ${names[0]} with ${address}.`,
      address,
    );
  }
}
