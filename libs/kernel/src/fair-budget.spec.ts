import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BudgetShare } from './budget-share.js';
import { FairBudget } from './fair-budget.js';

/** Takes shares, and records names in the order in which their shares are granted. */
function record(budget: FairBudget, order: string[]) {
  return (owner: string, bytes: number, name = owner): Promise<BudgetShare> =>
    budget.take([owner], bytes).then((share) => {
      order.push(name);
      return share;
    });
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a fair budget', () => {
  it('grants a request that fits immediately', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 60 });
    const share = await budget.take(['a'], 60);
    await budget.take(['b'], 40);
    expect(budget.used).toBe(100);
    expect(budget.isContended).toBe(false);
    share.release();
    share.release();
    expect(budget.used).toBe(40);
  });

  it('grants without waiting only where no other request waits', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 60 });
    const share = budget.takeAtOnce(['a'], 60);
    expect(budget.takeAtOnce(['a'], 1)).toBeUndefined();
    expect(budget.takeAtOnce(['b'], 50)).toBeUndefined();
    const waiting = budget.take(['b'], 50);
    expect(budget.takeAtOnce(['c'], 1)).toBeUndefined();
    share?.release();
    (await waiting).release();
    budget.takeAtOnce(['c'], 1)?.release();
    expect(budget.used).toBe(0);
  });

  it('gives the whole budget to a request that is larger than the budget, alone', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 50 });
    const order: string[] = [];
    const take = record(budget, order);
    const small = await take('a', 10);
    const large = take('b', 500);
    await settled();
    expect(order).toEqual(['a']);
    small.release();
    (await large).release();
    expect(order).toEqual(['a', 'b']);
  });

  it('limits one owner to its share while others continue', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 50 });
    const order: string[] = [];
    const take = record(budget, order);
    const first = await take('greedy', 40, 'greedy 1');
    void take('greedy', 40, 'greedy 2');
    void take('other', 40);
    await settled();
    expect(order).toEqual(['greedy 1', 'other']);
    first.release();
    await settled();
    expect(order).toEqual(['greedy 1', 'other', 'greedy 2']);
  });

  it('charges every owner of a request', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 50 });
    await budget.take(['lane 1', 'team'], 40);
    let isGranted = false;
    void budget.take(['lane 2', 'team'], 40).then(() => (isGranted = true));
    await settled();
    expect(isGranted).toBe(false);
  });

  it('serves owners in turns', async () => {
    const budget = new FairBudget({ total: 10, maxPerOwner: 10 });
    const order: string[] = [];
    const take = record(budget, order);
    const first = await take('z', 10);
    const waiting = ['a', 'a', 'a', 'b', 'c'].map((owner) => take(owner, 10).then((share) => share.release()));
    first.release();
    await Promise.all(waiting);
    expect(order).toEqual(['z', 'a', 'b', 'c', 'a', 'a']);
  });

  it('lets small requests pass a large one, until their sum is the size of the large one', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
    const order: string[] = [];
    const take = record(budget, order);
    const holder = await take('holder', 60);
    const large = take('large', 50);
    for (let n = 1; n <= 9; n++) void take(`small ${n}`, 10).then((share) => setImmediate(() => share.release()));
    await settled();
    await settled();
    await settled();
    expect(order).toEqual(['holder', 'small 1', 'small 2', 'small 3', 'small 4', 'small 5']);
    holder.release();
    (await large).release();
    await settled();
    expect(order.slice(0, 7)).toContain('large');
    expect(order).toHaveLength(11);
  });

  it('does not let other owners wait behind the lines of an owner whose share is full, however many there are', async () => {
    const budget = new FairBudget({ total: 100_000, maxPerOwner: 10_000 });
    const full = await budget.take(['team'], 10_000);
    for (let lane = 0; lane < 1_000; lane++) void budget.take([`lane ${lane}`, 'team'], 4);
    // A release makes the budget look at all waiting lines again.
    const other = await budget.take(['other'], 10_000);
    other.release();
    let isGranted = false;
    void budget.take(['lane 7', 'third'], 4).then(() => (isGranted = true));
    await settled();
    expect(isGranted).toBe(true);
    expect(full.isInDemand).toBe(true);
    full.release();
    await settled();
    expect(budget.used).toBe(4_004);
    expect(budget.isContended).toBe(false);
  });

  it('admits a line behind many that only moved to another full owner', async () => {
    const budget = new FairBudget({ total: 100_000, maxPerOwner: 10_000 });
    const team = await budget.take(['team'], 10_000);
    await budget.take(['address'], 10_000);
    for (let lane = 0; lane < 100; lane++) void budget.take(['team', 'address', `lane ${lane}`], 4);
    let isGranted = false;
    void budget.take(['team', 'other address'], 4).then(() => (isGranted = true));
    team.release();
    await settled();
    expect(isGranted).toBe(true);
  });

  it('grants a large request of an owner after a bounded number of its smaller ones', async () => {
    const budget = new FairBudget({ total: 100_000, maxPerOwner: 10_000 });
    const held: BudgetShare[] = [];
    let grantedSmall = 0;
    const takeSmall = (lane: number): Promise<void> =>
      budget.take([`lane ${lane}`, 'team'], 200).then((share) => {
        grantedSmall++;
        held.push(share);
      });
    for (let lane = 0; lane < 300; lane++) void takeSmall(lane);
    await settled();
    let isGranted = false;
    void budget.take(['large', 'team'], 5_000).then(() => (isGranted = true));
    const before = grantedSmall;
    for (let lane = 300; !isGranted; lane++) {
      void takeSmall(lane);
      held.shift()?.release();
      await settled();
      expect(grantedSmall - before).toBeLessThanOrEqual(300);
    }
    // The requests that waited before it, and then smaller ones up to its own size.
    expect(grantedSmall - before).toBeLessThanOrEqual(250 + 25);
  });

  it('charges a request that waits for memory to its owners, so that it is not displaced', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 60 });
    const order: string[] = [];
    const take = record(budget, order);
    const holder = await take('other', 60);
    void take('team', 50, 'first');
    void take('team', 20, 'second');
    await settled();
    holder.release();
    await settled();
    expect(order).toEqual(['other', 'first']);
  });

  it('tells the holder of a share whether another request waits for it', async () => {
    const budget = new FairBudget({ total: 100, maxPerOwner: 40 });
    const mine = await budget.take(['a'], 40);
    const others = await budget.take(['b'], 40);
    void budget.take(['b'], 30);
    expect([mine.isInDemand, others.isInDemand]).toEqual([false, true]);
    void budget.take(['c'], 30);
    expect([mine.isInDemand, others.isInDemand]).toEqual([true, true]);
    mine.release();
    expect(mine.isInDemand).toBe(false);
  });

  it('forgets a request that is aborted', async () => {
    const budget = new FairBudget({ total: 10, maxPerOwner: 10 });
    const holder = await budget.take(['a'], 10);
    const patience = new AbortController();
    const late = budget.take(['b'], 10, patience.signal);
    const next = budget.take(['c'], 10);
    patience.abort(new Error('too late'));
    await expect(late).rejects.toThrow('too late');
    await expect(budget.take(['d'], 10, patience.signal)).rejects.toThrow('too late');
    holder.release();
    (await next).release();
    expect(budget.used).toBe(0);
    expect(budget.isContended).toBe(false);
  });

  it('continues with the other requests when a large request is aborted', async () => {
    const budget = new FairBudget({ total: 1_000, maxPerOwner: 100 });
    const order: string[] = [];
    const take = record(budget, order);
    const first = await take('a', 60, 'first');
    const patience = new AbortController();
    const large = budget.take(['x', 'a'], 90, patience.signal);
    for (let n = 1; n <= 4; n++) void budget.take([`lane ${n}`, 'a'], 30).then(() => order.push(`small ${n}`));
    await settled();
    expect(order).toEqual(['first', 'small 1']);
    patience.abort(new Error('too late'));
    await expect(large).rejects.toThrow('too late');
    first.release();
    await settled();
    expect(order).toEqual(['first', 'small 1', 'small 2', 'small 3']);
  });

  it('keeps its limits and grants every request in the end, for any sequence of requests', async () => {
    const request = fc.record({
      owner: fc.integer({ min: 0, max: 4 }),
      bytes: fc.integer({ min: 1, max: 130 }),
      lane: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
        const budget = new FairBudget({ total: 100, maxPerOwner: 40 });
        const held = new Map<number, number>();
        const work = requests.map(async ({ owner, bytes, lane }) => {
          const share = await budget.take([`lane ${lane}`, String(owner)], bytes);
          const before = held.get(owner) ?? 0;
          held.set(owner, before + bytes);
          expect(before === 0 || before + bytes <= 40).toBe(true);
          expect(budget.used <= 100 || budget.used === bytes).toBe(true);
          await settled();
          held.set(owner, (held.get(owner) as number) - bytes);
          share.release();
        });
        await Promise.all(work);
        expect(budget.used).toBe(0);
        expect(budget.isContended).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});
