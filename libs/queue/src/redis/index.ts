export { RedisClient, RedisModule, connectRedis } from './redis-client.js';
