import { WorkerIdentity } from '#delivery';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { Postrider, startPostrider } from '../postrider.js';
import { watchEventLoop } from '../watch-event-loop.js';
import type { WorkerMessage } from './worker-messages.js';

/**
 * The program as a worker process of another one. Ctrl-C in a terminal reaches every process of it, so only the parent's
 * word to stop counts. A parent that is gone cannot restart or stop anything: then this process ends as if it had died,
 * and what it holds returns to the queue.
 */
export async function runWorkerProcess(): Promise<void> {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(1));
  // Nobody started it, or who did has died before this line: nothing would tell of that any more.
  if (!process.connected) throw new Error('A worker process is started by Postrider itself: set WORKERS');
  const starting = startPostrider();
  // Before it is ready as well: it may hold a lane by then, which nobody else would take for a while.
  process.once('SIGTERM', () => {
    process.on('SIGTERM', () => undefined);
    starting
      .then((program) => program.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  });
  const postrider = await starting;
  await watchEventLoop(postrider);
  // The only question there is, and asked of none that is not ready.
  process.on('message', () => void tellMetrics(postrider));
  tell({ kind: 'ready', workerId: postrider.app.get(WorkerIdentity).id });
}

async function tellMetrics({ app }: Postrider): Promise<void> {
  try {
    tell({ kind: 'metrics', metrics: await app.get(Metrics).read() });
  } catch (error) {
    app.get(Logger).warn({ error }, 'the metrics of this worker could not be read');
  }
}

/** A parent that has just gone is noticed by its channel. */
function tell(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
