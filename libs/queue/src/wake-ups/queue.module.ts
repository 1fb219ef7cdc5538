import { BullModule, WorkerHost } from '@nestjs/bullmq';
import { BeforeApplicationShutdown, DynamicModule, Module } from '@nestjs/common';
import { type ConnectionOptions, createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { PostgresQueueConnection, RedisQueueConnection } from './queue-connections.js';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Moves the queues to Redis or Valkey; several are nodes of a Redis Cluster. */
  readonly redisUrls?: readonly string[];
}

/**
 * BullMQ on PostgreSQL, or on Redis where a URL is given. Jobs are only wake-ups: a sweep of the rows finds the work of
 * lost jobs, so a job must never contain other data. Processors extend `WakeUpHost`.
 */
@Module({})
export class QueueModule {
  static forRoot({ databaseUrl, redisUrls }: QueueOptions): DynamicModule {
    // BullMQ has one setting for the whole process. Undefined restores the Redis backend.
    setDefaultBackendFactory(redisUrls === undefined ? createPostgresBackend : undefined);
    if (redisUrls === undefined) {
      const connection = new PostgresQueueConnection(databaseUrl);
      return {
        module: QueueModule,
        imports: [BullModule.forRoot({ connection: forBullMq(connection.pool), prefix })],
        providers: [{ provide: PostgresQueueConnection, useValue: connection }],
      };
    }
    const connection = new RedisQueueConnection(redisUrls);
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: connection.redis, prefix: redisUrls.length > 1 ? clusterPrefix : prefix }),
      ],
      providers: [{ provide: RedisQueueConnection, useValue: connection }],
    };
  }
}

const prefix = 'postrider';
/**
 * A hash tag, which puts all keys of the queues on one node of a Redis Cluster: scripts of BullMQ use several keys at
 * once.
 */
const clusterPrefix = `{${prefix}}`;

/** BullMQ takes a pool, and declares only the types of Redis connections. */
function forBullMq(pool: object): ConnectionOptions {
  return pool;
}

/**
 * A processor of wake-ups. When the program stops, it drops its jobs: a wake-up may be lost, and Redis, which would
 * have to store that a job is done, may be unavailable.
 */
export abstract class WakeUpHost extends WorkerHost implements BeforeApplicationShutdown {
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close(true);
    // After `close(true)`, BullMQ on PostgreSQL still waits for the next job, with a timer that keeps the process alive
    // for 5 s.
    this.worker
      .getBackend()
      .disconnectBlocking(false)
      .catch(() => undefined);
  }
}
