import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';

type Given = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;
type Connect = (given: Given) => void;

/** All connections that a pool gives out, and those who wait for one: can be closed together, against a server that is mute. */
export class PoolConnections {
  private readonly clients = new Set<PoolClient>();
  private readonly waiting = new Set<Given>();
  private reason: Error | undefined;

  constructor(pool: Pool) {
    const connect = pool.connect.bind(pool) as unknown as Connect;
    pool.on('acquire', (client) => this.clients.add(client));
    pool.on('remove', (client) => this.clients.delete(client));
    // `pool.query` and the ORM come by here as well.
    (pool as { connect: unknown }).connect = (given?: Given) =>
      given === undefined ? this.promised(connect) : this.connect(connect, given);
  }

  get isClosed(): boolean {
    return this.reason !== undefined;
  }

  /** Breaks every connection, and gives none until it is reopened. */
  close(reason: Error): void {
    this.reason = reason;
    for (const given of this.waiting) given(reason, undefined, () => undefined);
    this.waiting.clear();
    for (const client of this.clients) {
      (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    }
  }

  reopen(): void {
    this.reason = undefined;
  }

  private promised(connect: Connect): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      this.connect(connect, (error, client) =>
        client === undefined ? reject(error ?? new Error('There was no connection')) : resolve(client),
      );
    });
  }

  private connect(connect: Connect, given: Given): void {
    if (this.reason !== undefined) return void process.nextTick(given, this.reason, undefined, () => undefined);
    // One entry for each call, whoever calls.
    const waiter: Given = (...answer) => given(...answer);
    this.waiting.add(waiter);
    connect((error, client, release) => {
      if (this.waiting.delete(waiter)) given(error, client, release);
      else if (client !== undefined) release(true);
    });
  }
}
