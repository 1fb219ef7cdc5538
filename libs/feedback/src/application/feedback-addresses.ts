import { ServiceNames } from '#domains';
import { Injectable } from '@nestjs/common';

const local = 'fbl';

/** `fbl@` the service's own hosts: the address for the feedback programmes of mailbox providers. */
@Injectable()
export class FeedbackAddresses {
  private readonly addresses: ReadonlySet<string>;

  constructor(names: ServiceNames) {
    this.addresses = new Set(names.regions.map((region) => `${local}@${names.hostsOf(region).host}`.toLowerCase()));
  }

  has(address: string): boolean {
    return this.addresses.has(address.toLowerCase());
  }
}
