import { OnApplicationShutdown } from '@nestjs/common';
import { Client, Pool, PoolClient } from 'pg';
import type { Cluster, Redis } from 'ioredis';
import { limitedConnection, ordinaryLimits, serverOf } from '#postgres/database';
import { connectRedis } from '#queue/redis';

/** Each process has one connection that listens; the others serve short statements. */
const maxConnections = 4;

/**
 * The PostgreSQL connections of the queues. A pool that BullMQ makes itself adds its error listener only after a
 * connection is open: a server that ends the connection at that moment would end the process.
 */
export class PostgresQueueConnection implements OnApplicationShutdown {
  readonly pool: Pool;
  private readonly open = new Set<PoolClient>();

  constructor(connectionString: string) {
    this.pool = new Pool({
      ...limitedConnection(ordinaryLimits),
      ...serverOf(connectionString),
      max: maxConnections,
      application_name: 'postrider-queue',
      options: '-c search_path=bullmq',
      keepAlive: true,
    });
    // The queues report errors. The pool's own listener is there only while a connection is idle.
    this.pool.on('connect', (client) => {
      this.open.add(client);
      client.on('error', () => undefined);
      client.on('end', () => this.open.delete(client));
    });
    this.pool.on('error', () => undefined);
  }

  /** The pool ends its idle connections only, and BullMQ does not always return the one that listens. */
  onApplicationShutdown(): void {
    this.pool.end().catch(() => undefined);
    for (const client of this.open) (client as unknown as Client).end().catch(() => undefined);
  }
}

/**
 * The Redis connection of the queues. BullMQ's own connection sends QUIT before it closes, so a program that stops
 * while Redis is unavailable would wait for the reply until it is killed.
 */
export class RedisQueueConnection implements OnApplicationShutdown {
  readonly redis: Redis | Cluster;

  constructor(urls: readonly string[]) {
    this.redis = connectRedis(urls, { maxRetriesPerRequest: null });
    // The queues report errors. Once they are closed, ioredis would print errors without a listener.
    this.redis.on('error', () => undefined);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
