import { beforeEach, expect, it, jest } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { ReceivedEmail } from '../domain/received-email.js';
import { ActionOutcome, ReceivedMailActions } from './ports/inbound-routing.port.js';
import { DueWork, ReceivedWork } from './ports/received-work.port.js';
import { RunReceivedActions } from './run-received-actions.use-case.js';

class Work extends ReceivedWork {
  readonly rows = new Map<string, { dueAt: Date; failures: number; isAnnounced: boolean; reason?: string }>();

  async take(now: Date, leaseUntil: Date, limit: number): Promise<readonly DueWork[]> {
    const due = [...this.rows].filter(([, { dueAt }]) => dueAt <= now).slice(0, limit);
    return due.map(([emailId, row]) => {
      row.dueAt = leaseUntil;
      return { emailId, failures: row.failures, isAnnounced: row.isAnnounced };
    });
  }

  async renew(emailId: string, dueAt: Date): Promise<void> {
    Object.assign(this.rows.get(emailId) ?? {}, { dueAt });
  }

  async done(emailId: string): Promise<void> {
    this.rows.delete(emailId);
  }

  async later(emailId: string, dueAt: Date, reason: string): Promise<void> {
    Object.assign(this.rows.get(emailId) ?? {}, { dueAt, reason });
  }

  async failed(emailId: string, dueAt: Date, reason: string): Promise<void> {
    await this.later(emailId, dueAt, reason);
    const row = this.rows.get(emailId);
    if (row !== undefined) row.failures++;
  }
}

const minute = 60_000;
let clock: FakeClock;
let work: Work;
let outcome: (isAnnounced: boolean) => ActionOutcome | Promise<ActionOutcome>;
let run: RunReceivedActions;
let id: string;

beforeEach(() => {
  clock = new FakeClock();
  work = new Work();
  id = newId(clock.now().getTime());
  outcome = () => ({ kind: 'done' });
  const emails = { findAny: async (found: string) => (found === id ? ({ id } as ReceivedEmail) : undefined) };
  const actions = {
    run: async (_: ReceivedEmail, isAnnounced: boolean) => outcome(isAnnounced),
  } satisfies ReceivedMailActions;
  run = new RunReceivedActions(work, emails as never, actions, clock);
  work.rows.set(id, { dueAt: clock.now(), failures: 0, isAnnounced: true });
});

it('work that is done is removed, and so is work for an email that is gone', async () => {
  work.rows.set(newId(), { dueAt: clock.now(), failures: 0, isAnnounced: true });
  expect(await run.runBatch()).toEqual({ tried: 2, givenUp: [] });
  expect(work.rows.size).toBe(0);
  expect(await run.runBatch()).toEqual({ tried: 0, givenUp: [] });
});

it('the actions know whether the event was written with the email', async () => {
  const known: boolean[] = [];
  outcome = (isAnnounced) => {
    known.push(isAnnounced);
    return { kind: 'done' };
  };
  await run.runBatch();
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
    await run.runBatch();
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
    const running = run.runBatch();
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
  await run.runBatch();
  expect(work.rows.get(id)).toMatchObject({ dueAt: new Date(clock.now().getTime() + 1_000), reason: 'under way' });
  clock.advance(1_000);
  outcome = () => ({ kind: 'more' });
  await run.runBatch();
  outcome = () => ({ kind: 'later', reason: 'away' });
  await run.runBatch();
  expect(work.rows.get(id)?.dueAt.getTime()).toBe(clock.now().getTime() + minute);
});

it('work that made way for others goes on at once', async () => {
  outcome = () => ({ kind: 'more' });
  await run.runBatch();
  outcome = () => ({ kind: 'done' });
  expect(await run.runBatch()).toEqual({ tried: 1, givenUp: [] });
  expect(work.rows.size).toBe(0);
});

it('after five days it is given up', async () => {
  outcome = () => ({ kind: 'later', reason: 'away' });
  clock.advance(5 * 24 * 60 * minute + 1);
  expect(await run.runBatch()).toEqual({ tried: 1, givenUp: [{ emailId: id, reason: 'away' }] });
  expect(work.rows.size).toBe(0);
});
