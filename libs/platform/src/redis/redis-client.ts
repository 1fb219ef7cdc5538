import type { Cluster, Redis } from 'ioredis';
import { Logger } from '#platform/logging';
import { connectRedis } from './connect-redis.js';

const connectTimeoutMs = 2_000;
/** Whoever asks Redis has a customer waiting, and another way. */
const commandTimeoutMs = 250;

/**
 * The program's own connection to Redis, for what is quick to ask and may be lost. A command fails at once while Redis is
 * away: nothing is kept for it, and nobody waits for it.
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
      // One line for each time that it goes, not one for each attempt to reach it.
      if (!this.isAway) logger.warn({ error }, 'Redis is away');
      this.isAway = true;
    });
  }

  close(): void {
    this.redis.disconnect();
  }
}
