import { limitedConnection, ordinaryLimits } from '#platform/database';
import { BullModule } from '@nestjs/bullmq';
import { DynamicModule, Module } from '@nestjs/common';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { RedisQueueConnection } from './redis-queue-connection.js';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Moves the queues to Redis or Valkey; several are nodes of a Redis Cluster. */
  readonly redisUrls?: readonly string[];
}

/**
 * BullMQ on PostgreSQL, or on Redis where a URL is given. Its jobs only wake: whatever is lost here is found again in
 * the rows by a sweep, so nothing else may ever be kept in a job. Processors extend `WakeUpHost`.
 */
@Module({})
export class QueueModule {
  static forRoot({ databaseUrl, redisUrls }: QueueOptions): DynamicModule {
    // Process-wide, as BullMQ has it; undefined restores the Redis backend.
    setDefaultBackendFactory(redisUrls === undefined ? createPostgresBackend : undefined);
    if (redisUrls === undefined) {
      return { module: QueueModule, imports: [BullModule.forRoot({ connection: onPostgres(databaseUrl), prefix })] };
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
/** All keys of the queues on one node of a Redis Cluster (a hash tag): the scripts of BullMQ use several at once. */
const clusterPrefix = `{${prefix}}`;

/**
 * BullMQ types its connections as Redis ones; the PostgreSQL backend reads these.
 */
function onPostgres(connectionString: string): ConnectionOptions {
  const connection: object = {
    connectionString,
    max: 2,
    application_name: 'postrider-queue',
    ...limitedConnection(ordinaryLimits),
  };
  return connection;
}
