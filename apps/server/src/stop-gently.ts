import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Config } from '#platform/config';
import { Readiness } from '#observability/health';

/**
 * Reports itself as not ready and continues to serve for DRAIN_SECONDS, until load balancers have noticed. Then it
 * refuses new connections and finishes the work under way, at the same time as the worker processes.
 */
export async function stopGently(
  app: NestFastifyApplication,
  config: Config,
  workers: { stop(): Promise<void> } | undefined,
): Promise<void> {
  app.get(Readiness, { strict: false }).stop();
  const { drainSeconds } = config.values;
  const hasDoor = (['api', 'smtp', 'inbound'] as const).some((role) => config.has(role));
  if (drainSeconds > 0 && hasDoor) await delay(drainSeconds * 1_000);
  await Promise.all([app.close(), workers?.stop()]);
}
