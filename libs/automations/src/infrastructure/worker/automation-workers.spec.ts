import { expect, it } from '@jest/globals';
import type { Logger } from '#observability/logging';
import type { ProcessNotifications } from '#postgres/database';
import type { WorkSearch } from '#postgres/events';
import type { AdvanceRuns } from '../../application/advance-runs.use-case.js';
import type { RunQueue } from '../../application/ports/run-queue.port.js';
import type { StartRuns } from '../../application/start-runs.use-case.js';
import { AutomationWorker } from './automation-workers.js';

it('runs go on while an event cannot be dealt with', async () => {
  let search: () => Promise<void> = async () => undefined;
  let runs = 3;
  const starts = {
    step: async () => {
      throw new Error('This event is odd');
    },
  };
  const advances = { isOtherMailComing: false, step: async () => Math.min(runs--, 1) };
  const workSearch = {
    every: (_ms: number, task: string, _found: string, work: () => Promise<void>) => {
      if (task === 'running automations') search = work;
    },
  };
  const worker = new AutomationWorker(
    starts as unknown as StartRuns,
    advances as unknown as AdvanceRuns,
    {} as RunQueue,
    { on: () => undefined } as unknown as ProcessNotifications,
    workSearch as unknown as WorkSearch,
    {} as Logger,
  );
  worker.onApplicationBootstrap();
  await expect(search()).rejects.toThrow('This event is odd');
  expect(runs).toBe(2);
});
