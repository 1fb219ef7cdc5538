import { startTestPgBouncer } from './test-pgbouncer.js';
import { startTestRedis } from './test-redis.js';
import { startTestServer } from './test-server.js';

/** Jest calls this once before the tests of a run. */
export default async function setUp(): Promise<void> {
  await startTestServer();
  await startTestPgBouncer();
  await startTestRedis();
}
