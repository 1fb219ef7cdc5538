import { startTestPgBouncer } from '../servers/test-pgbouncer.js';
import { startTestRedis } from '../servers/test-redis.js';
import { startTestServer } from '../servers/test-server.js';

/** Jest calls this once before the tests of a run. */
export default async function setUp(): Promise<void> {
  await startTestServer();
  await startTestPgBouncer();
  await startTestRedis();
}
