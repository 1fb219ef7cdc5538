import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Config } from '#platform/config';
import { Readiness } from '#platform/health';

/**
 * Says that it stops and goes on serving until whoever spreads the load has noticed, then closes its doors behind what is
 * under way. What the worker processes finish need not wait for the last answer, nor the other way round.
 */
export async function stopGently(
  app: NestFastifyApplication,
  config: Config,
  workers: { stop(): Promise<void> } | undefined,
): Promise<void> {
  app.get(Readiness, { strict: false }).stop();
  const { drainSeconds } = config.values;
  if (drainSeconds > 0 && (config.has('api') || config.has('smtp'))) await delay(drainSeconds * 1_000);
  await Promise.all([app.close(), workers?.stop()]);
}
