import { stopTestPgBouncer } from '../servers/test-pgbouncer.js';
import { stopTestRedis } from '../servers/test-redis.js';
import { stopTestServer } from '../servers/test-server.js';

/** Jest calls this once after the tests of a run. */
export default async function tearDown(): Promise<void> {
  await stopTestRedis();
  await stopTestPgBouncer();
  await stopTestServer();
}
