import { BullModule } from '@nestjs/bullmq';
import { DynamicModule, Module } from '@nestjs/common';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { reconnectAfterMs } from '#platform/redis';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Moves the queues to Redis or Valkey. */
  readonly redisUrl?: string;
}

/**
 * BullMQ on PostgreSQL, or on Redis where a URL is given. Its jobs only wake: whatever is lost here is found again in
 * the rows by a sweep, so nothing else may ever be kept in a job.
 */
@Module({})
export class QueueModule {
  static forRoot(options: QueueOptions): DynamicModule {
    // Process-wide, as BullMQ has it; undefined restores the Redis backend.
    setDefaultBackendFactory(options.redisUrl === undefined ? createPostgresBackend : undefined);
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({
          connection:
            options.redisUrl === undefined
              ? postgresConnection(options.databaseUrl)
              : { url: options.redisUrl, maxRetriesPerRequest: null, retryStrategy: reconnectAfterMs },
          prefix: 'postrider',
        }),
      ],
    };
  }
}

/** BullMQ types its connections as Redis ones; the PostgreSQL backend reads these. */
function postgresConnection(connectionString: string): ConnectionOptions {
  const connection: object = { connectionString, max: 2, application_name: 'postrider-queue' };
  return connection;
}
