import { describe, expect, it } from '@jest/globals';
import { ByteBudget, HeldCount, Slots, WakeUps } from '#kernel';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise has resolved by the end of this turn. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await turn();
  return done;
}

describe('ByteBudget', () => {
  it('lets through what fits, in order, and the rest when room comes back', async () => {
    const budget = new ByteBudget(100);
    await budget.take(60);
    const second = budget.take(60);
    const third = budget.take(10);
    expect([await isDone(second), await isDone(third)]).toEqual([false, false]);
    budget.release(60);
    expect([await isDone(second), await isDone(third)]).toEqual([true, true]);
  });

  it('gives what is larger than itself the whole of it', async () => {
    const budget = new ByteBudget(100);
    await budget.take(10);
    const large = budget.take(1_000);
    expect(await isDone(large)).toBe(false);
    budget.release(10);
    expect(await isDone(large)).toBe(true);
    expect(await isDone(budget.take(1))).toBe(false);
  });
});

describe('Slots', () => {
  it('lets so many through at once', async () => {
    const slots = new Slots(1);
    await slots.take();
    const second = slots.take();
    expect(await isDone(second)).toBe(false);
    slots.release();
    expect(await isDone(second)).toBe(true);
  });
});

describe('HeldCount', () => {
  it('tells when few enough are held', async () => {
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

  it('ends a wait for something that has come earlier, and no later one', async () => {
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
