import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../runner/free-port.js';
import { until } from '../runner/until.js';
import { TestAuthority } from './test-authority.js';

const program = '/usr/bin/pebble';

/** Why Pebble cannot be used here; undefined if it can. */
export function whyNoPebble(): string | undefined {
  return existsSync(program) ? undefined : 'Pebble is not installed (Debian: package pebble)';
}

/**
 * Pebble, the certificate authority for tests of ACME. It validates for real, at `challengePort` of the addresses that `dns` has, and
 * refuses a fifth of all good nonces.
 *
 * It has no renewal information (RFC 9773). The directory that the program is given adds it.
 */
export class Pebble {
  /** When certificates are to be renewed; undefined: the authority does not say. */
  renewalWindow: { readonly start: Date; readonly end: Date } | undefined;
  /** Paths below `renewalInfo` that were asked for. */
  readonly askedRenewals: string[] = [];
  private log = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly front: Server,
    private readonly folder: string,
    private readonly managementPort: number,
    readonly caFile: string,
    private readonly ca: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  static async start(challengePort: number, dns: string): Promise<Pebble> {
    const [folder, port, managementPort] = [
      await mkdtemp(join(tmpdir(), 'postrider-pebble-')),
      await freePort(),
      await freePort(),
    ];
    const authority = new TestAuthority();
    const { cert, key } = authority.issue('localhost');
    const path = (name: string): string => join(folder, name);
    const settings = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: path('cert.pem'),
      privateKey: path('key.pem'),
      httpPort: challengePort,
      tlsPort: challengePort,
    };
    await Promise.all([
      writeFile(path('cert.pem'), cert),
      writeFile(path('key.pem'), key),
      writeFile(path('ca.pem'), authority.cert),
      writeFile(path('config.json'), JSON.stringify({ pebble: settings })),
    ]);
    const child = spawn(program, ['-config', path('config.json'), '-dnsserver', dns], {
      env: { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20', PEBBLE_AUTHZREUSE: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const front = createServer();
    const pebble = new Pebble(child, front, folder, managementPort, path('ca.pem'), authority.cert);
    await until(() => pebble.log.includes('Listening on'));
    const directory = JSON.parse(await read(port, '/dir', authority.cert)) as object;
    front.on('request', ({ url = '' }, response) => {
      if (url === '/dir')
        return response.end(JSON.stringify({ ...directory, renewalInfo: `${pebble.frontUrl}/renewals` }));
      pebble.askedRenewals.push(url);
      if (pebble.renewalWindow === undefined) return response.writeHead(404).end();
      return response.end(JSON.stringify({ suggestedWindow: pebble.renewalWindow }));
    });
    await once(front.listen(0, '127.0.0.1'), 'listening');
    return pebble;
  }

  get directory(): string {
    return `${this.frontUrl}/dir`;
  }

  /** How often an order was made. */
  get orders(): number {
    return this.log.split('Added order ').length - 1;
  }

  /** `Valid` or `Revoked`, by the serial number in hexadecimal. */
  async statusOf(serial: string): Promise<string> {
    const text = await read(this.managementPort, `/cert-status-by-serial/${serial.toLowerCase()}`, this.ca);
    return (JSON.parse(text) as { readonly Status: string }).Status;
  }

  /** The certificate that clients of the hosts trust. */
  root(): Promise<string> {
    return read(this.managementPort, '/roots/0', this.ca);
  }

  async stop(): Promise<void> {
    this.front.closeAllConnections();
    this.front.close();
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill();
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private get frontUrl(): string {
    return `http://127.0.0.1:${(this.front.address() as AddressInfo).port}`;
  }
}

function read(port: number, path: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Pebble makes its URLs with this name.
    const headers = { host: `localhost:${port}` };
    const asked = request({ host: '127.0.0.1', servername: 'localhost', port, path, ca, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    asked.on('error', reject).end();
  });
}
