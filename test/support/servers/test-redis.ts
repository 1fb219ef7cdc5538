import { RedisServer } from './redis-server.js';

let server: RedisServer | undefined;

/** One Redis for a whole run of Jest, if `E2E_REDIS=start` is set; `E2E_REDIS_URL` uses one that already runs. */
export async function startTestRedis(): Promise<void> {
  if (process.env.E2E_REDIS !== 'start' || process.env.E2E_REDIS_URL !== undefined) return;
  server = await RedisServer.start();
  process.env.E2E_REDIS_URL = `redis://127.0.0.1:${server.port}`;
}

export async function stopTestRedis(): Promise<void> {
  if (server === undefined) return;
  delete process.env.E2E_REDIS_URL;
  await server.stop();
  server = undefined;
}
