import './run-typescript.mjs';

// Jest compiles a global setup written in TypeScript to CommonJS, where neither `#...` imports nor ES modules work.
const { startTestServer } = await import('./test-server.ts');
const { startTestPgBouncer } = await import('./test-pgbouncer.ts');
const { startTestRedis } = await import('./test-redis.ts');

export default async () => {
  await startTestServer();
  await startTestPgBouncer();
  await startTestRedis();
};
