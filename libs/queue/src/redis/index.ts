export { RedisClient } from './redis-client.js';
export { RedisModule } from './redis.module.js';
export { connectRedis } from './connect-redis.js';
