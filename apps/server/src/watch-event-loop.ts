import { Config } from '#platform/config';
import { EventLoop, startWatchdog } from '#platform/event-loop';
import { Logger } from '#platform/logging';
import type { Postrider } from './postrider.js';

/**
 * Has a thread watch the event loop of this process, and answer on HEALTH_LISTEN where that is set. For a process that runs
 * one Postrider. Resolves with the port of HEALTH_LISTEN.
 */
export function watchEventLoop({ app, url }: Pick<Postrider, 'app' | 'url'>): Promise<number | undefined> {
  const { logLevel, healthListen } = app.get(Config).values;
  return startWatchdog({
    eventLoop: app.get(EventLoop),
    logger: app.get(Logger),
    logLevel,
    ...(healthListen === undefined ? {} : { health: { ...healthListen, mainUrl: url } }),
  });
}
