import { beforeEach, expect, it, jest } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { InMemoryReceivedWork } from '../../../../test/support/fakes/in-memory-received-work.js';
import { ReceivedEmail } from '../domain/received-email.js';
import { ActionOutcome, ReceivedMailActions } from './ports/inbound-routing.port.js';
import { DueWork } from './ports/received-work.port.js';
import { RunReceivedActions } from './run-received-actions.use-case.js';

const minute = 60_000;
let clock: FakeClock;
let work: InMemoryReceivedWork;
let outcome: (isAnnounced: boolean) => ActionOutcome | Promise<ActionOutcome>;
let actions: RunReceivedActions;
const teamId = newId();
let id: string;

beforeEach(() => {
  clock = new FakeClock();
  work = new InMemoryReceivedWork();
  id = newId(clock.now().getTime());
  outcome = () => ({ kind: 'done' });
  const emails = { findAny: async (found: string) => (found === id ? ({ id } as ReceivedEmail) : undefined) };
  const ofRoutes = {
    run: async (_: ReceivedEmail, isAnnounced: boolean) => outcome(isAnnounced),
  } satisfies ReceivedMailActions;
  actions = new RunReceivedActions(work, emails as never, ofRoutes, clock);
  work.add(id, teamId, clock.now());
});

/** Runs what is due, and returns the reasons of those that were given up. */
async function runDue(): Promise<readonly (string | undefined)[]> {
  return Promise.all((await actions.claim(32)).map((due) => actions.run(due)));
}

it('work that is done is removed, and so is work for an email that is gone', async () => {
  work.add(newId(), teamId, clock.now());
  expect(await runDue()).toEqual([undefined, undefined]);
  expect(work.rows.size).toBe(0);
  expect(await runDue()).toEqual([]);
});

it('the actions know whether the event was written with the email', async () => {
  const known: boolean[] = [];
  outcome = (isAnnounced) => {
    known.push(isAnnounced);
    return { kind: 'done' };
  };
  await runDue();
  expect(known).toEqual([true]);
});

it('work that fails or says later is tried again after growing pauses', async () => {
  const pauses: number[] = [];
  for (const fails of [true, false, true, false, false]) {
    outcome = () => {
      if (fails) throw new Error('broken');
      return { kind: 'later', reason: 'away' };
    };
    const before = clock.now().getTime();
    await runDue();
    const row = work.rows.get(id);
    expect(row?.reason).toBe(fails ? 'broken' : 'away');
    pauses.push((row?.dueAt.getTime() ?? 0) - before);
    clock.advance(pauses.at(-1) ?? 0);
  }
  expect(pauses).toEqual([1, 5, 15, 60, 60].map((minutes) => minutes * minute));
});

it('a run that takes long keeps its lease, and its outcome may ask for a longer pause', async () => {
  jest.useFakeTimers();
  try {
    let end: (ended: ActionOutcome) => void = () => undefined;
    outcome = () => new Promise((resolve) => (end = resolve));
    const running = runDue();
    for (let step = 0; step < 20; step++) {
      clock.advance(minute);
      await jest.advanceTimersByTimeAsync(minute);
      expect(work.rows.get(id)?.dueAt.getTime()).toBeGreaterThan(clock.now().getTime());
    }
    end({ kind: 'later', reason: 'under way', afterMs: 7 * minute });
    await running;
    await jest.advanceTimersByTimeAsync(10 * minute);
    expect(work.rows.get(id)?.dueAt.getTime()).toBe(clock.now().getTime() + 7 * minute);
  } finally {
    jest.useRealTimers();
  }
});

it('neither a wait for somebody else nor a run that made way for others counts as a failure', async () => {
  outcome = () => ({ kind: 'waiting', reason: 'under way', afterMs: 1_000 });
  await runDue();
  expect(work.rows.get(id)).toMatchObject({ dueAt: new Date(clock.now().getTime() + 1_000), reason: 'under way' });
  clock.advance(1_000);
  outcome = () => ({ kind: 'more' });
  await runDue();
  outcome = () => ({ kind: 'later', reason: 'away' });
  await runDue();
  expect(work.rows.get(id)?.dueAt.getTime()).toBe(clock.now().getTime() + minute);
});

it('work that made way for others goes on at once', async () => {
  outcome = () => ({ kind: 'more' });
  await runDue();
  outcome = () => ({ kind: 'done' });
  expect(await runDue()).toEqual([undefined]);
  expect(work.rows.size).toBe(0);
});

it('after five days it is given up', async () => {
  outcome = () => ({ kind: 'later', reason: 'away' });
  clock.advance(5 * 24 * 60 * minute + 1);
  expect(await runDue()).toEqual(['away']);
  expect(work.rows.size).toBe(0);
});

it('a team that holds all of its places gets no further one until a run ends, also by an error', async () => {
  jest.spyOn(work, 'done').mockRejectedValueOnce(new Error('the database is away'));
  let end: (ended: ActionOutcome) => void = () => undefined;
  outcome = () => new Promise((resolve) => (end = resolve));
  const [first] = await actions.claim(1);
  const running = actions.run(first as DueWork);
  for (let at = 0; at < 8; at++) work.add(newId(), teamId, clock.now());
  expect(await actions.claim(32)).toHaveLength(7);
  end({ kind: 'done' });
  await expect(running).rejects.toThrow('the database is away');
  expect(await actions.claim(32)).toHaveLength(1);
});
