import { describe, expect, it } from '@jest/globals';
import { HeldCount, Slots } from './slots.js';
import { WakeUps } from './wake-ups.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise has resolved after one turn of the event loop. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await turn();
  return done;
}

describe('Slots', () => {
  it('limits how many are taken at the same time', async () => {
    const slots = new Slots(1);
    await slots.take();
    const second = slots.take();
    expect(await isDone(second)).toBe(false);
    slots.release();
    expect(await isDone(second)).toBe(true);
  });
});

describe('HeldCount', () => {
  it('resolves when the count has dropped to the limit', async () => {
    const held = new HeldCount();
    held.add(5);
    const fewer = held.atMost(2);
    held.remove(2);
    expect(await isDone(fewer)).toBe(false);
    held.remove(1);
    expect(await isDone(fewer)).toBe(true);
  });
});

describe('WakeUps', () => {
  it('remembers one notification that comes before the wait', async () => {
    const wakeUps = new WakeUps();
    wakeUps.notify();
    expect(await wakeUps.next(60_000)).toBe(true);
    expect(await wakeUps.next(1)).toBe(false);
  });

  it('a second condition ends only the wait that it was passed to', async () => {
    const wakeUps = new WakeUps();
    let come = (): void => undefined;
    const something = new Promise<void>((resolve) => (come = resolve));
    wakeUps.notify();
    expect(await wakeUps.next(60_000, something)).toBe(true);
    const later = wakeUps.next(60_000);
    come();
    expect(await isDone(later)).toBe(false);
    wakeUps.notify();
    expect(await later).toBe(true);
    expect(await wakeUps.next(60_000, something)).toBe(false);
  });

  it('ends every wait when the program stops', async () => {
    const wakeUps = new WakeUps();
    const waiting = wakeUps.next(60_000);
    wakeUps.stop();
    expect(await waiting).toBe(false);
    expect(await wakeUps.next(60_000)).toBe(false);
    expect(wakeUps.stopping).toBe(true);
  });
});
