import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '#http/outbound';
import { DnsResolver, reverseName } from '#domains';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red, yellow } from '../check.js';
import { greeting } from '../greeting.js';

/**
 * Whether mail can leave over IPv6, and whether the address that it leaves from has a reverse name: large receivers refuse mail over IPv6
 * without one (https://support.google.com/a/answer/81126), where the same mail passes over IPv4.
 */
@Injectable()
export class Ipv6Check extends DoctorCheck {
  readonly name = 'IPv6';

  constructor(
    private readonly dns: DnsResolver,
    private readonly config: Config,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const { deliveryTransport } = this.config.values;
    if (deliveryTransport !== 'mx') return [green(`not needed with DELIVERY_TRANSPORT=${deliveryTransport}`)];
    if (!this.addressesOfMachine().some(isUsable)) {
      return [green('this machine has no public IPv6 address: mail leaves over IPv4 alone')];
    }
    const targets = await this.targets();
    if (targets.length === 0) return [green('not tried: no server of DOCTOR_SMTP_TARGETS has an IPv6 address')];
    const failures: string[] = [];
    for (const { address, port } of targets) {
      const { failure, from } = await greeting(address, port);
      if (failure === undefined) return [await this.reverseName(from ?? '')];
      failures.push(`[${address}]:${port}: ${failure}`);
    }
    return [
      yellow(
        `no mail server could be reached over IPv6 (${failures.join('; ')})`,
        'Ask the provider of this machine to open outgoing port 25 for IPv6, or take its IPv6 address away: each delivery tries it first.',
      ),
    ];
  }

  /** Without their interfaces. */
  protected addressesOfMachine(): readonly string[] {
    return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  }

  private async targets(): Promise<readonly { readonly address: string; readonly port: number }[]> {
    const all = this.config.values.doctorSmtpTargets.map(async ({ host, port }) => {
      const [address] = isIPv6(host) ? [host] : await this.dns.aaaa(host);
      return address === undefined ? [] : [{ address, port }];
    });
    return (await Promise.all(all)).flat();
  }

  private async reverseName(address: string): Promise<DoctorFinding> {
    const names = await this.dns.ptr(address);
    const [name] = names;
    if (name === undefined) {
      const fix = `Have the provider of this machine set the PTR record of ${address}, or take the address away.`;
      return red('mail leaves from it over IPv6, and it has no reverse name (PTR)', fix, address);
    }
    const known = await Promise.all(names.map((each) => this.dns.aaaa(each)));
    if (known.flat().some((each) => reverseName(each) === reverseName(address))) {
      return green(`mail leaves from it over IPv6, and it is ${name} and back`, address);
    }
    const fix = `Publish an AAAA record of ${name} with ${address}.`;
    return red(`mail leaves from it over IPv6, and its reverse name ${name} does not lead back to it`, fix, address);
  }
}

const isUsable = (address: string): boolean => isIPv6(address) && isPublicAddress(address);
