import { WorkerIdentity } from '#delivery';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { Postrider, startPostrider } from '../postrider.js';
import { watchEventLoop } from '../watch-event-loop.js';
import type { WorkerMessage } from './worker-messages.js';

/**
 * Runs the program as a worker process of another one. It ignores SIGINT, because Ctrl-C in a terminal reaches every
 * process; only the parent's SIGTERM stops it. If the parent is gone, nothing can restart or stop this process: it then
 * exits at once, and its mail returns to the queue.
 */
export async function runWorkerProcess(): Promise<void> {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(1));
  // It was not started by Postrider, or the parent died before this line and no `disconnect` event will follow.
  if (!process.connected) throw new Error('A worker process is started by Postrider itself: set WORKERS');
  const starting = startPostrider();
  // Also handled before it is ready: it may already have a lane, which must be released.
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
  // The request for metrics is the only message, and the parent sends it only to a worker that is ready.
  process.on('message', () => void sendMetrics(postrider));
  send({ kind: 'ready', workerId: postrider.app.get(WorkerIdentity).id });
}

async function sendMetrics({ app }: Postrider): Promise<void> {
  try {
    send({ kind: 'metrics', metrics: await app.get(Metrics).read() });
  } catch (error) {
    app.get(Logger).warn({ error }, 'the metrics of this worker could not be read');
  }
}

/** An error is ignored: if the parent is gone, the `disconnect` event ends this process. */
function send(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
