import { Config } from '#platform/config';
import { EventLoop, startWatchdog } from '#platform/event-loop';
import { Logger } from '#platform/logging';
import type { Postrider } from './postrider.js';

type Watched = Pick<Postrider, 'app' | 'url' | 'stop'>;

/**
 * Has a thread watch the event loop of this process, and answer on HEALTH_LISTEN where that is set. For a process that runs
 * one Postrider. Resolves with the port of HEALTH_LISTEN. Where that cannot be had, it stops the program, which serves
 * already, and rejects then.
 */
export async function watchEventLoop(postrider: Watched): Promise<number | undefined> {
  try {
    return await watch(postrider);
  } catch (error) {
    await postrider.stop();
    throw error;
  }
}

async function watch({ app, url }: Watched): Promise<number | undefined> {
  const { logLevel, healthListen } = app.get(Config).values;
  return startWatchdog({
    eventLoop: app.get(EventLoop),
    logger: app.get(Logger),
    logLevel,
    ...(healthListen === undefined ? {} : { health: { ...healthListen, mainUrl: url } }),
  });
}
