import { connect } from 'node:net';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { DoctorCheck, DoctorFinding, green, red } from '../check.js';

const timeoutMs = 10_000;

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
      const failure = await greeting(host, port);
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

/** The failure; undefined if the server greets with 220. */
function greeting(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (failure: string | undefined): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.setTimeout(timeoutMs, () => end('no reply'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.once('end', () => end('the connection was closed'));
    socket.once('data', (chunk: Buffer) => {
      const line = chunk.toString('latin1').split('\r\n', 1)[0] ?? '';
      socket.end('QUIT\r\n');
      end(line.startsWith('220') ? undefined : `replied "${line.slice(0, 100)}"`);
    });
  });
}
