import { url } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { Logger } from '#platform/logging';
import { EventLoop } from './event-loop.js';
import type { HealthListening } from './health-listener.js';

/** What the thread starts with. */
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
  /** Lines below this level are not wanted. */
  readonly logLevel: string;
  /** Where the thread itself answers for the health of the process. */
  readonly health?: HealthListening;
}

const withoutWarnings = ['error', 'fatal'];

/** The thread has a few objects and no load: its heap stays small. */
const memory = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 1 };

/**
 * Watches the event loop of this process from a thread of its own: of each freeze of a second or longer it logs what the main
 * thread executes, and how long it lasted. Costs 10 MB and a look at a number five times a second.
 *
 * Resolves once it watches, with the port of HEALTH_LISTEN where there is one. A thread that fails later is logged: the program
 * goes on without it.
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
  thread.on('error', (error) => logger.error({ error }, 'the watchdog has ended: freezes are not seen any more'));
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
