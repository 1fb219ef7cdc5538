import { once } from 'node:events';
import { AddressInfo, connect, createServer, NetConnectOpts, Server, Socket } from 'node:net';

/** What clients have sent through the proxy. */
export interface Traffic {
  /** Executed statements, counted in the PostgreSQL protocol. */
  readonly statements: number;
  /** Times that a client has sent something after it had read something, or after it had connected. */
  readonly roundTrips: number;
  /** Bytes in both directions. */
  readonly bytes: number;
}

/**
 * A TCP proxy that stands for a long way to PostgreSQL. Each direction takes half of the round trip, at any bandwidth. The
 * way can also be cut: then nothing arrives on either side, and no side is told.
 */
export class DelayingProxy {
  private readonly server: Server;
  private readonly ways = new Set<Way>();
  private readonly sockets = new Set<Socket>();
  private readonly counted = { statements: 0, roundTrips: 0, bytes: 0 };
  private isCut = false;

  private constructor(
    private readonly target: NetConnectOpts,
    private readonly roundTripMs: number,
  ) {
    this.server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => this.join(client));
  }

  /** `databaseUrl`: where PostgreSQL listens. */
  static async listen(databaseUrl: string, roundTripMs: number): Promise<DelayingProxy> {
    const { hostname, port, searchParams } = new URL(databaseUrl);
    const socket = searchParams.get('host');
    const number = Number(port || 5432);
    const target = socket === null ? { host: hostname, port: number } : { path: `${socket}/.s.PGSQL.${number}` };
    const proxy = new DelayingProxy(target, roundTripMs);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get traffic(): Traffic {
    return { ...this.counted };
  }

  /** The same database, by way of the proxy. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.searchParams.delete('host');
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.toString();
  }

  cut(): void {
    this.isCut = true;
    for (const way of this.ways) way.hold();
  }

  /** What was sent in the meantime arrives now. */
  restore(): void {
    this.isCut = false;
    for (const way of this.ways) way.release();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const server = connect({ ...this.target, allowHalfOpen: true }).setNoDelay(true);
    const statements = new StatementCount();
    let hasRead = true;
    this.carry(client, server, (chunk) => {
      this.counted.statements += statements.in(chunk);
      if (hasRead) this.counted.roundTrips++;
      hasRead = false;
    });
    this.carry(server, client, () => void (hasRead = true));
  }

  private carry(from: Socket, to: Socket, count: (chunk: Buffer) => void): void {
    const way = new Way(to, this.roundTripMs / 2);
    if (this.isCut) way.hold();
    this.ways.add(way);
    this.sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      this.counted.bytes += chunk.length;
      count(chunk);
      way.send(chunk);
    });
    from.on('end', () => way.send(undefined));
    from.on('error', () => way.send(undefined));
    from.on('close', () => {
      way.send(undefined);
      this.sockets.delete(from);
    });
    to.on('close', () => this.ways.delete(way));
  }
}

/** One direction of a connection. */
class Way {
  /** Undefined: the end. */
  private readonly queue: { readonly chunk: Buffer | undefined; readonly dueAt: number }[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isHeld = false;

  constructor(
    private readonly to: Socket,
    private readonly delayMs: number,
  ) {}

  send(chunk: Buffer | undefined): void {
    this.queue.push({ chunk, dueAt: performance.now() + this.delayMs });
    if (this.timer === undefined) this.deliver();
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    if (this.timer === undefined) this.deliver();
  }

  private deliver(): void {
    this.timer = undefined;
    for (let [next] = this.queue; next !== undefined && !this.isHeld; [next] = this.queue) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) {
        this.timer = setTimeout(() => this.deliver(), waitMs);
        return;
      }
      this.queue.shift();
      if (this.to.destroyed || this.to.writableEnded) continue;
      if (next.chunk === undefined) this.to.end();
      else this.to.write(next.chunk);
    }
  }
}

/** Counts the messages Query and Execute that a client sends: a type of one byte, then a length that includes itself. */
class StatementCount {
  private header = Buffer.alloc(0);
  private toSkip = 0;
  /** The first message has no type. */
  private isFirst = true;

  in(chunk: Buffer): number {
    let found = 0;
    for (let at = 0; at < chunk.length;) {
      const skipped = Math.min(this.toSkip, chunk.length - at);
      this.toSkip -= skipped;
      at += skipped;
      const wanted = (this.isFirst ? 4 : 5) - this.header.length;
      this.header = Buffer.concat([this.header, chunk.subarray(at, at + wanted)]);
      at += wanted;
      if (this.header.length < (this.isFirst ? 4 : 5)) return found;
      if (!this.isFirst && 'QE'.includes(String.fromCharCode(this.header[0] as number))) found++;
      this.toSkip = this.header.readUInt32BE(this.isFirst ? 0 : 1) - 4;
      this.header = Buffer.alloc(0);
      this.isFirst = false;
    }
    return found;
  }
}
