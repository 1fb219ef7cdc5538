import { Cluster, Redis, RedisOptions } from 'ioredis';
import { DynamicModule, Global, Inject, Module, OnApplicationShutdown, Optional } from '@nestjs/common';
import { Logger } from '#observability/logging';

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

/** Pause before the next attempt to connect to Redis, at most one second. */
function reconnectAfterMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), 1_000);
}

/**
 * Connects to one Redis, or to a Redis Cluster if there are several URLs. These may be any nodes, from which the others are
 * discovered. User, password and TLS of the first URL apply to every node.
 *
 * Errors are emitted on the connection. Without a listener, ioredis prints them.
 */
export function connectRedis(urls: readonly string[], options: RedisOptions): Redis | Cluster {
  const [first, ...others] = urls as [string, ...string[]];
  if (others.length === 0) return new Redis(first, { ...options, retryStrategy: reconnectAfterMs });
  const { username, password, protocol } = new URL(first);
  return new Cluster([...urls], {
    redisOptions: {
      ...options,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
    enableOfflineQueue: options.enableOfflineQueue,
    clusterRetryStrategy: reconnectAfterMs,
  });
}

/** Provides `RedisClient` if REDIS_URL is set. */
@Global()
@Module({})
export class RedisModule implements OnApplicationShutdown {
  static forRoot(urls: readonly string[] | undefined): DynamicModule {
    if (urls === undefined) return { module: RedisModule };
    const client = {
      provide: RedisClient,
      inject: [Logger],
      useFactory: (logger: Logger) => new RedisClient(urls, logger),
    };
    return { module: RedisModule, providers: [client], exports: [RedisClient] };
  }

  constructor(@Optional() @Inject(RedisClient) private readonly client: RedisClient | undefined) {}

  onApplicationShutdown(): void {
    this.client?.close();
  }
}
