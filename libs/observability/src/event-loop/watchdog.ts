import { url } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { Logger } from '#observability/logging';
import { EventLoop } from './event-loop.js';
import type { HealthListening } from './health-listener.js';

/** Data that is passed to the thread. */
export interface WatchdogData {
  readonly beats: Int32Array;
  readonly logsWarnings: boolean;
  readonly mayInspect: boolean;
  readonly health: HealthListening | undefined;
}

export type WatchdogMessage =
  { readonly kind: 'listening'; readonly port: number } | { readonly kind: 'failed'; readonly reason: string };

export interface WatchdogOptions {
  readonly eventLoop: EventLoop;
  readonly logger: Logger;
  /** Lines below this level are not logged. */
  readonly logLevel: string;
  /** Where the thread serves the health checks. Default: nowhere. */
  readonly health?: HealthListening;
}

const withoutWarnings = ['error', 'fatal'];

/** The thread has few objects and no load, so a small heap is enough. */
const memory = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 1 };

/**
 * Watches the event loop of this process from a separate thread. For each freeze of a second or longer, it logs the
 * stack of the main thread and the duration. Costs 10 MB of memory and five reads of a counter per second.
 *
 * Resolves once the thread is running, with the port of HEALTH_LISTEN if it is set. A later failure of the thread is
 * logged, and the program continues without it.
 */
export async function startWatchdog({
  eventLoop,
  logger,
  logLevel,
  health,
}: WatchdogOptions): Promise<number | undefined> {
  const data: WatchdogData = {
    beats: eventLoop.beats,
    logsWarnings: !withoutWarnings.includes(logLevel),
    mayInspect: url() === undefined,
    health,
  };
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData: data,
    resourceLimits: memory,
    name: 'watchdog',
    execArgv: [],
  });
  thread.on('error', (error) =>
    logger.error({ error }, 'the watchdog thread has ended: freezes are no longer detected'),
  );
  if (health === undefined) {
    thread.unref();
    return undefined;
  }
  const port = await portOf(thread);
  thread.unref();
  return port;
}

function portOf(thread: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    thread.once('message', (message: WatchdogMessage) => {
      if (message.kind === 'listening') resolve(message.port);
      else reject(new Error(`HEALTH_LISTEN cannot be used: ${message.reason}`));
    });
    thread.once('error', reject);
  });
}
