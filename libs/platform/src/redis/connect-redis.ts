import { Cluster, Redis, RedisOptions } from 'ioredis';
import { reconnectAfterMs } from './reconnect.js';

/**
 * A connection to one Redis, or to a Redis Cluster where there are several URLs: any of its nodes, by which the others are
 * found. User, password and TLS of the first URL hold for every node.
 *
 * Errors are emitted, as by ioredis; without a listener it prints them.
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
