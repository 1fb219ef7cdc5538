import { OnApplicationShutdown } from '@nestjs/common';
import { Client, Pool, PoolClient } from 'pg';
import { limitedConnection, ordinaryLimits, serverOf } from '#postgres/database';

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
