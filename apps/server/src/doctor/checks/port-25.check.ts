import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red } from '../check.js';
import { greeting } from '../greeting.js';

/** Checks that mail servers can be reached. Most hosting providers block port 25 until asked to open it. */
@Injectable()
export class Port25Check extends DoctorCheck {
  readonly name = 'Port 25';

  constructor(private readonly config: Config) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    const { deliveryTransport, doctorSmtpTargets } = this.config.values;
    if (deliveryTransport !== 'mx') return [green(`not needed with DELIVERY_TRANSPORT=${deliveryTransport}`)];
    const failures: string[] = [];
    for (const { host, port } of doctorSmtpTargets) {
      const { failure } = await greeting(host, port);
      if (failure === undefined) return [green(`${host}:${port} sent its greeting`)];
      failures.push(`${host}:${port}: ${failure}`);
    }
    return [
      red(
        `no mail server could be reached (${failures.join('; ')})`,
        'Ask the provider of this machine to open outgoing port 25, or set DELIVERY_TRANSPORT=relay and RELAY_URL.',
      ),
    ];
  }
}
