import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { newId } from '#kernel';
import { Logger } from '#observability/logging';
import { WorkHost } from '#queue/leases';
import { FakeClock } from '../../../../../test/support/fakes/fake-clock.js';
import { InMemoryReceivedWork } from '../../../../../test/support/fakes/in-memory-received-work.js';
import { ActionOutcome, ReceivedMailActions } from '../../application/ports/inbound-routing.port.js';
import { RunReceivedActions } from '../../application/run-received-actions.use-case.js';
import { ReceivedEmail } from '../../domain/received-email.js';
import { ReceivedActionsWorker } from './received-actions-worker.js';

const [slow, quick] = [newId(), newId()];
const warn = jest.fn();
let clock: FakeClock;
let rows: InMemoryReceivedWork;
let tick: () => Promise<unknown>;
/** Ends the runs of the slow team that are under way. */
let ends: ((outcome: ActionOutcome) => void)[];
let worker: ReceivedActionsWorker;

beforeEach(() => {
  jest.useFakeTimers();
  warn.mockClear();
  [clock, rows, ends] = [new FakeClock(), new InMemoryReceivedWork(), []];
  const emails = { findAny: async (id: string) => ({ id, teamId: rows.rows.get(id)?.teamId }) };
  const run = async ({ teamId }: ReceivedEmail): Promise<ActionOutcome> =>
    teamId === quick ? { kind: 'done' } : new Promise((resolve) => ends.push(resolve));
  const actions: ReceivedMailActions = { run };
  const host = {
    search: { every: (_ms: number, _task: string, _found: string, look: () => Promise<unknown>) => (tick = look) },
  };
  worker = new ReceivedActionsWorker(
    host as unknown as WorkHost,
    new RunReceivedActions(rows, emails as never, actions, clock),
    { warn } as unknown as Logger,
  );
  worker.onApplicationBootstrap();
});
afterEach(() => void jest.useRealTimers());

const add = (teamId: string, count = 1): void => {
  for (let at = 0; at < count; at++) rows.add(newId(clock.now().getTime()), teamId, clock.now());
};
const left = (teamId: string): number => [...rows.rows.values()].filter((row) => row.teamId === teamId).length;
const settled = async (): Promise<void> => void (await jest.advanceTimersByTimeAsync(0));

it('mail of other teams does not wait for the end of slow runs, however many one team has', async () => {
  add(slow, 100);
  await tick();
  add(quick, 100);
  await tick();
  await settled();
  expect([left(quick), left(slow), ends.length]).toEqual([0, 100, 8]);
});

it('a place that becomes free is taken at once', async () => {
  add(slow, 10);
  await tick();
  ends[0]?.({ kind: 'done' });
  ends[1]?.({ kind: 'waiting', reason: 'no memory', afterMs: 5_000 });
  await settled();
  expect([left(slow), ends.length]).toEqual([9, 10]);
});

it('a stop waits for the runs and takes no more', async () => {
  add(slow, 10);
  await tick();
  const stopped = worker.beforeApplicationShutdown();
  for (const end of ends) end({ kind: 'done' });
  await stopped;
  await tick();
  expect([left(slow), ends.length]).toEqual([2, 8]);
});

it('an email that is given up is logged', async () => {
  add(slow);
  const [emailId] = rows.rows.keys();
  await tick();
  clock.advance(5 * 24 * 60 * 60_000 + 1);
  ends[0]?.({ kind: 'later', reason: 'away' });
  await settled();
  expect(warn).toHaveBeenCalledWith(
    { emailId, reason: 'away' },
    'actions of a received email were given up after five days',
  );
});
