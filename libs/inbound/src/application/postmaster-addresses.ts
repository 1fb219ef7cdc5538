import { ReceivingDomains, ServiceNames } from '#domains';
import { domainOf, Notices } from '#kernel';
import { Injectable } from '@nestjs/common';

/** `postmaster` must be accepted (RFC 5321 section 4.5.1), and `abuse` is where others complain (RFC 2142). */
const locals = ['postmaster', 'abuse'];

/** The addresses at the service's own hosts that reach its operator, and `postmaster` without a domain. */
@Injectable()
export class PostmasterAddresses {
  private readonly addresses: ReadonlySet<string>;

  constructor(
    names: ServiceNames,
    private readonly domains: ReceivingDomains,
    private readonly notices: Notices,
  ) {
    const hosts = new Set(names.regions.map((region) => names.hostsOf(region).host.toLowerCase()));
    this.addresses = new Set([
      'postmaster',
      ...[...hosts].flatMap((host) => locals.map((local) => `${local}@${host}`)),
    ]);
  }

  /** Only if the operator can be reached: mail that nobody would read is refused, and its sender knows. */
  async has(recipient: string): Promise<boolean> {
    const address = recipient.toLowerCase();
    if (!this.addresses.has(address)) return false;
    const { operator } = this.notices;
    // A notice to one of these addresses would come back here, again and again.
    if (operator === undefined || this.addresses.has(operator.toLowerCase())) return false;
    // If a team has the host as its domain, the address is the team's.
    return (await this.domains.find(domainOf(address))) === undefined;
  }
}
