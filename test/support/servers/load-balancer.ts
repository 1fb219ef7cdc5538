import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Backend {
  readonly port: number;
  /** `/readyz` of the process, which is polled. */
  readonly healthUrl: string;
}

type ProxyHeader = (address: string, port: number) => Buffer;

const checkIntervalMs = 100;

/**
 * A minimal load balancer: it spreads TCP connections over the backends that report themselves as ready. It never repeats a
 * request. If a backend does not accept a connection, it tries the next one.
 */
export class LoadBalancer {
  private readonly ready = new Set<Backend>();
  private readonly sockets = new Set<Socket>();
  private readonly checks: NodeJS.Timeout;
  private next = 0;

  private constructor(
    private readonly server: Server,
    private backends: readonly Backend[],
    private readonly names: ProxyHeader | undefined,
  ) {
    server.on('connection', (client) => this.forward(client));
    this.checks = setInterval(() => this.check(), checkIntervalMs);
  }

  /** `names` makes the header that tells a backend the client's address. */
  static async listen(backends: readonly Backend[], names?: ProxyHeader): Promise<LoadBalancer> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const balancer = new LoadBalancer(server, backends, names);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    for (const backend of backends) balancer.ready.add(backend);
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Replaces a backend after a restart, because the new process has other ports. */
  replace(gone: Backend, come: Backend): void {
    this.backends = this.backends.map((backend) => (backend === gone ? come : backend));
    this.ready.delete(gone);
    this.ready.add(come);
  }

  async close(): Promise<void> {
    clearInterval(this.checks);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  private check(): void {
    for (const backend of this.backends) {
      fetch(backend.healthUrl, { signal: AbortSignal.timeout(10_000) })
        .then(({ ok }) => (ok ? this.ready.add(backend) : this.ready.delete(backend)))
        .catch(() => this.ready.delete(backend));
    }
  }

  private forward(client: Socket): void {
    this.keep(client);
    const candidates = this.backends.filter((backend) => this.ready.has(backend));
    const start = this.next++;
    const order = candidates.map((_, index) => candidates[(start + index) % candidates.length] as Backend);
    this.tryNext(client, order);
  }

  private tryNext(client: Socket, [backend, ...others]: readonly Backend[]): void {
    if (backend === undefined) return void client.destroy();
    const upstream = connect({ host: '127.0.0.1', port: backend.port, allowHalfOpen: true, noDelay: true });
    const refused = (): void => this.tryNext(client, others);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      this.keep(upstream);
      client.once('close', () => upstream.destroy());
      upstream.once('close', () => client.destroy());
      if (this.names !== undefined) upstream.write(this.names(client.remoteAddress ?? '', client.remotePort ?? 0));
      client.pipe(upstream).pipe(client);
    });
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.sockets.delete(socket));
  }
}
