import type { Cluster, Redis } from 'ioredis';
import { Logger } from '#observability/logging';
import { connectRedis } from './connect-redis.js';

const connectTimeoutMs = 2_000;
/** Short, because a customer is waiting and callers have another way without Redis. */
const commandTimeoutMs = 250;

/**
 * The program's own connection to Redis, for short commands on data that may be lost. While Redis is unavailable,
 * commands fail immediately and are not queued.
 */
export class RedisClient {
  readonly redis: Redis | Cluster;
  private isAway = false;

  constructor(urls: readonly string[], logger: Logger) {
    this.redis = connectRedis(urls, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: connectTimeoutMs,
      commandTimeout: commandTimeoutMs,
    });
    this.redis.on('ready', () => (this.isAway = false));
    this.redis.on('error', (error: Error) => {
      // One line for each outage, not one for each attempt to connect.
      if (!this.isAway) logger.warn({ error }, 'Redis is unavailable');
      this.isAway = true;
    });
  }

  close(): void {
    this.redis.disconnect();
  }
}
