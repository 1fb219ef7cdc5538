import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { IntrusiveSet } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Metrics } from '#observability/metrics';
import { Database } from './database.js';

type Given = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void;
type Connect = (given: Given) => void;

/** A caller that waits for a connection. One for each call, because several calls may pass the same callback. */
class Waiter {
  place = -1;

  constructor(readonly given: Given) {}
}

/** All connections of a pool and all waiting callers. They can be closed together if the server does not respond. */
export class PoolConnections {
  private readonly clients = new Set<PoolClient>();
  private readonly waiting = new IntrusiveSet<Waiter>();
  private reason: Error | undefined;

  constructor(pool: Pool) {
    const connect = pool.connect.bind(pool) as unknown as Connect;
    pool.on('acquire', (client) => this.clients.add(client));
    pool.on('remove', (client) => this.clients.delete(client));
    // `pool.query` and the ORM also use `connect`.
    (pool as { connect: unknown }).connect = (given?: Given) =>
      given === undefined ? this.promised(connect) : this.connect(connect, given);
  }

  get isClosed(): boolean {
    return this.reason !== undefined;
  }

  /** Destroys every connection. New requests for a connection fail with `reason` until `reopen`. */
  close(reason: Error): void {
    this.reason = reason;
    for (const waiter of [...this.waiting]) {
      this.waiting.delete(waiter);
      waiter.given(reason, undefined, () => undefined);
    }
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
    const waiter = new Waiter(given);
    this.waiting.add(waiter);
    connect((error, client, release) => {
      if (this.waiting.delete(waiter)) given(error, client, release);
      else if (client !== undefined) release(true);
    });
  }
}

/** Metrics of the connection pool, read when they are collected. */
@Injectable()
export class PoolMetrics {
  constructor({ pool }: Database, metrics: Metrics) {
    const help = 'PostgreSQL connections of this process';
    metrics.gauge('postrider_database_connections', help, {
      labels: ['state'],
      across: 'each',
      read: (gauge) => {
        gauge.set({ state: 'idle' }, pool.idleCount);
        gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      },
    });
    metrics.gauge('postrider_database_connections_wanted', 'Work that waits for a connection', {
      across: 'each',
      read: (gauge) => gauge.set(pool.waitingCount),
    });
  }
}
