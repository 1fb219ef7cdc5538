import { Cluster, Redis, RedisOptions } from 'ioredis';
import { reconnectAfterMs } from './reconnect.js';

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
