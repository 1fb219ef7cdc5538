import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import { networkKey } from '../server/networks.js';

/** Maximum number of connections that are in a handshake: of one client network, and in total. */
const maxOfNetwork = 64;
const maxTotal = 1_024;

/**
 * Limits the connections whose TLS handshake has not ended. Afterwards they are connections of the HTTP server, which has limits
 * of its own (`ConnectionCaps`).
 */
export class Handshakes {
  /** The network of each connection, by its address and port. */
  private readonly networks = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  guard(server: Server): void {
    server.on('connection', (socket: Socket) => this.begin(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.end(keyOf(socket)));
  }

  private begin(socket: Socket): void {
    const key = keyOf(socket);
    const network = networkKey(socket.remoteAddress ?? '');
    const count = this.counts.get(network) ?? 0;
    if (count >= maxOfNetwork || this.networks.size >= maxTotal) return void socket.destroy();
    this.networks.set(key, network);
    this.counts.set(network, count + 1);
    socket.once('close', () => this.end(key));
  }

  private end(key: string): void {
    const network = this.networks.get(key);
    if (network === undefined) return;
    this.networks.delete(key);
    const left = (this.counts.get(network) ?? 1) - 1;
    if (left === 0) this.counts.delete(network);
    else this.counts.set(network, left);
  }
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
