export { RedisClient } from './redis-client.js';
export { RedisModule } from './redis.module.js';
export { reconnectAfterMs } from './reconnect.js';
