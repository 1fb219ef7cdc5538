import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';
import { SourceAddresses } from '../source-addresses.js';

/** Checks the hosts to which the records of customers point: without addresses, bounces are lost and SPF fails. */
@Injectable()
export class HostNameCheck extends DoctorCheck {
  readonly name = 'Host for bounces';

  constructor(
    private readonly addresses: SourceAddresses,
    private readonly config: Config,
  ) {
    super();
  }

  run(): Promise<readonly DoctorFinding[]> {
    return Promise.all(this.addresses.hostNames().map((host) => this.check(host)));
  }

  private async check(host: string): Promise<DoctorFinding> {
    const isPlaceholder = host.endsWith('.invalid');
    if (!isPlaceholder && (await this.addresses.ofHost(host)).length > 0) return green('has addresses', host);
    const text = isPlaceholder ? 'is only a placeholder' : 'has no address in the DNS';
    const fix = 'Set HOST_NAME to the public name of this service, and publish its A record.';
    return this.config.values.deliveryTransport === 'sandbox' ? yellow(text, fix, host) : red(text, fix, host);
  }
}
