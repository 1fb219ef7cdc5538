import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { beatMs, FreezeDetector } from './freeze.js';
import { readFrozenStack } from './frozen-stack.js';
import { listenForHealth } from './health-listener.js';
import type { WatchdogData, WatchdogMessage } from './watchdog.js';

/**
 * The thread that watches the main thread. It writes log lines itself, because the main thread cannot while it is
 * frozen: to the same file and in the same format, one JSON object per line.
 */
const { beats, logsWarnings, mayInspect, health } = workerData as WatchdogData;
const detector = new FreezeDetector();
const stackWithinMs = 5_000;
let lastFrozenMs = 0;

function warn(fields: object, msg: string): void {
  if (!logsWarnings) return;
  const line = JSON.stringify({ level: 40, time: new Date().toISOString(), ...fields, msg });
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // The reader of the log is gone or does not read. That must not end the program.
  }
}

function look(): void {
  switch (detector.look(Atomics.load(beats, 0), performance.now())) {
    case 'freezes':
      tellStack();
      break;
    case 'thaws':
      warn({ durationMs: Math.round(lastFrozenMs) }, 'the event loop runs again after a freeze');
      break;
    case 'is frozen':
    case 'turns':
      break;
  }
  lastFrozenMs = detector.frozenMs ?? 0;
}

function tellStack(): void {
  const tell = (stack: readonly string[]): void =>
    warn({ stack, frozenMs: Math.round(detector.frozenMs ?? lastFrozenMs) }, 'the event loop is frozen');
  const beat = Atomics.load(beats, 0);
  // Where a debugger is attached, a freeze may be a breakpoint.
  if (!mayInspect) return tell([]);
  // An endless regular expression or native call never reaches a statement at which the thread could pause.
  const timeout = setTimeout(() => tell([]), stackWithinMs);
  readFrozenStack(
    () => Atomics.load(beats, 0) === beat,
    (stack) => {
      clearTimeout(timeout);
      tell(stack);
    },
  );
}

// oxlint-disable-next-line no-restricted-globals -- A thread of its own, without the program that stops it.
setInterval(look, beatMs);
if (health !== undefined) {
  listenForHealth(health, () => detector.frozenMs).then(
    (port) => parentPort?.postMessage({ kind: 'listening', port } satisfies WatchdogMessage),
    (error: Error) => parentPort?.postMessage({ kind: 'failed', reason: error.message } satisfies WatchdogMessage),
  );
}
