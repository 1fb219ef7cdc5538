import { createServer, Server, Socket } from 'node:net';
import { DnsServer } from './dns-server.js';

/** Mail hosts that accept connections and send nothing, each on its own loopback address. */
export class SilentHosts {
  /** Number of accepted connections. */
  connectionCount = 0;
  /** Maximum number that were open at once. */
  maxConnections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly addresses: readonly string[],
    private readonly servers: Server[] = [],
  ) {}

  static async listen(count: number, port: number): Promise<SilentHosts> {
    const hosts = new SilentHosts(Array.from({ length: count }, (_, n) => `127.20.${n >> 8}.${n & 255}`));
    for (const address of hosts.addresses) {
      const server = createServer((socket) => hosts.accept(socket));
      await new Promise<void>((resolve) => server.listen(port, address, resolve));
      hosts.servers.push(server);
    }
    return hosts;
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  /** Domains whose mail hosts are these, assigned in rotation. */
  domains(dns: DnsServer, count: number): string[] {
    return Array.from({ length: count }, (_, n) => {
      const host = n % this.addresses.length;
      dns.mx(`silent${n}.test`, [10, `mx${host}.silent.test`]);
      dns.a(`mx${host}.silent.test`, this.addresses[host] as string);
      return `silent${n}.test`;
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private accept(socket: Socket): void {
    this.connectionCount++;
    this.sockets.add(socket);
    this.maxConnections = Math.max(this.maxConnections, this.sockets.size);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    socket.resume();
  }
}
