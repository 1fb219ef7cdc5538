import './run-typescript.mjs';

const { stopTestServer } = await import('./test-server.ts');
const { stopTestPgBouncer } = await import('./test-pgbouncer.ts');
const { stopTestRedis } = await import('./test-redis.ts');

export default async () => {
  await stopTestRedis();
  await stopTestPgBouncer();
  await stopTestServer();
};
