import { stopTestPgBouncer } from './test-pgbouncer.js';
import { stopTestRedis } from './test-redis.js';
import { stopTestServer } from './test-server.js';

/** Jest calls this once after the tests of a run. */
export default async function tearDown(): Promise<void> {
  await stopTestRedis();
  await stopTestPgBouncer();
  await stopTestServer();
}
