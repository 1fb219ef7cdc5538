import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '#observability/logging';
import { WorkerProcesses } from './worker-processes.js';

class FakeProcess extends EventEmitter {
  readonly signals: string[] = [];

  constructor(readonly pid: number | undefined) {
    super();
  }

  kill(signal: string): void {
    this.signals.push(signal);
  }
}

let started: FakeProcess[];
let abandoned: string[];
let pid: number | undefined;
let workers: WorkerProcesses;

beforeEach(() => {
  jest.useFakeTimers();
  [started, abandoned, pid] = [[], [], 4_711];
  workers = new WorkerProcesses({
    count: 1,
    start: () => {
      const child = new FakeProcess(pid);
      started.push(child);
      return child as unknown as ChildProcess;
    },
    abandon: async (id) => void abandoned.push(id),
    stopMs: 1_000,
    logger: { error: () => undefined, warn: () => undefined } as unknown as Logger,
  });
  workers.start();
});

afterEach(() => void jest.useRealTimers());

it('a worker that has ended is replaced, and its mail returns to the queue', () => {
  started[0]?.emit('message', { kind: 'ready', workerId: 'first' });
  started[0]?.emit('exit', 1, null);
  jest.advanceTimersByTime(1_000);
  expect(abandoned).toEqual(['first']);
  expect(started).toHaveLength(2);
});

it('a worker that could not be started is started again', () => {
  pid = undefined;
  started[0]?.emit('exit', 1, null);
  jest.advanceTimersByTime(1_000);
  started[1]?.emit('error', new Error('spawn ENOMEM'));
  jest.advanceTimersByTime(1_000);
  expect(started).toHaveLength(3);
});

it('a worker that runs but cannot be sent a message is not replaced', async () => {
  started[0]?.emit('message', { kind: 'ready', workerId: 'first' });
  started[0]?.emit('error', new Error('write EPIPE'));
  jest.advanceTimersByTime(60_000);
  expect(abandoned).toEqual([]);
  expect(started).toHaveLength(1);

  const stop = workers.stop();
  started[0]?.emit('error', new Error('kill EPERM'));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(started[0]?.signals).toEqual(['SIGTERM', 'SIGKILL']);
  started[0]?.emit('exit', null, 'SIGKILL');
  await stop;
  expect(workers.running).toBe(0);
});
