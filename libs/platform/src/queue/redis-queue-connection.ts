import type { Cluster, Redis } from 'ioredis';
import { connectRedis } from '#platform/redis';
import { OnApplicationShutdown } from '@nestjs/common';

/**
 * The connection of the queues, ours and not BullMQ's: that one says goodbye to Redis before it goes, and a program that
 * is told to stop while Redis is away would wait for the answer until it is killed.
 */
export class RedisQueueConnection implements OnApplicationShutdown {
  readonly redis: Redis | Cluster;

  constructor(urls: readonly string[]) {
    this.redis = connectRedis(urls, { maxRetriesPerRequest: null });
    // The queues report trouble; once they are closed nobody does, and ioredis would print it.
    this.redis.on('error', () => undefined);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
