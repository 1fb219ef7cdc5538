import type { Cluster, Redis } from 'ioredis';
import { connectRedis } from '#queue/redis';
import { OnApplicationShutdown } from '@nestjs/common';

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
