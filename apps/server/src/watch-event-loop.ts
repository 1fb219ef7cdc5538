import { Config } from '#platform/config';
import { EventLoop, startWatchdog } from '#observability/event-loop';
import { Logger } from '#observability/logging';
import type { Postrider } from './postrider.js';

type Watched = Pick<Postrider, 'app' | 'url' | 'stop'>;

/**
 * Starts a thread that watches the event loop of this process and, if HEALTH_LISTEN is set, responds there. For a
 * process that runs one Postrider. Resolves to the port of HEALTH_LISTEN. If the port cannot be used, it stops the
 * program, which is already serving, and then rejects.
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
