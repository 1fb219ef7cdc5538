import { expect, it } from '@jest/globals';
import { FairBudget } from '#kernel';
import { ContentLoan } from './content-loan.js';
import { LateContent } from './late-content.js';

const bytes = Buffer.from('content');
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function content(budget: FairBudget, size: number, render: () => Promise<Uint8Array> = async () => bytes): LateContent {
  return new LateContent(budget, ['lane', 'team'], size, render);
}

it('is read when somebody asks, shared meanwhile, and read anew after all have released it', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  let reads = 0;
  const late = content(budget, 60, async () => (reads++, bytes));
  expect(budget.usedBytes).toBe(0);

  const [first, second] = await Promise.all([late.of(0), late.of(1)]);
  expect([reads, budget.usedBytes]).toEqual([1, 60]);
  first.release();
  first.release();
  await settled();
  expect(budget.usedBytes).toBe(60);
  second.release();
  await settled();
  expect(budget.usedBytes).toBe(0);

  (await late.of(0)).release();
  expect(reads).toBe(2);
});

it('says whether other mail waits for the memory', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  const held = await content(budget, 60).of(0);
  expect(held.isInDemand).toBe(false);
  const next = content(budget, 60).of(0);
  expect(held.isInDemand).toBe(true);
  held.release();
  (await next).release();
});

it('leaves nothing behind where it cannot be read, and is asked for again', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  let mayFail = true;
  const late = content(budget, 60, async () => {
    if (mayFail) throw new Error('damaged');
    return bytes;
  });
  await expect(Promise.all([late.of(0), late.of(1)])).rejects.toThrow('damaged');
  await settled();
  expect(budget.usedBytes).toBe(0);
  mayFail = false;
  expect((await late.of(0)).bytes).toBe(bytes);
});

it('is released with the delivery that it was read for, also what is still being read then', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  const late = content(budget, 60);
  const loan = new ContentLoan((wish) => late.of(0, wish));
  await loan.take();
  const under = loan.take();
  loan.end();
  await expect(under).rejects.toThrow('ended');
  await settled();
  expect(budget.usedBytes).toBe(0);
});

it('says when there is memory for it', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  const held = await content(budget, 60).of(0);
  const steps: string[] = [];
  const next = content(budget, 60, async () => (steps.push('read'), bytes)).of(0, {
    onGranted: () => steps.push('granted'),
  });
  await settled();
  expect(steps).toEqual([]);
  held.release();
  (await next).release();
  expect(steps.sort()).toEqual(['granted', 'read']);
});

it('waits for memory no longer than its delivery lasts', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  const held = await content(budget, 60).of(0);
  const late = content(budget, 60);
  const loans = [new ContentLoan((wish) => late.of(0, wish)), new ContentLoan((wish) => late.of(1, wish))];
  const [first, second] = loans.map((loan) => loan.take());

  loans[0]?.end();
  await expect(first).rejects.toThrow('ended');
  expect(budget.isContended).toBe(true);
  loans[1]?.end();
  await expect(second).rejects.toThrow('ended');
  expect(budget.isContended).toBe(false);
  held.release();
  await settled();
  expect(budget.usedBytes).toBe(0);
  await expect(loans[0]?.take()).rejects.toThrow('ended');
});

it('is there for another delivery, though the one that asked first has ended', async () => {
  const budget = new FairBudget({ totalBytes: 100, maxBytesPerOwner: 100 });
  const held = await content(budget, 60).of(0);
  const late = content(budget, 60);
  const ended = new ContentLoan((wish) => late.of(0, wish));
  const lasting = new ContentLoan((wish) => late.of(1, wish));
  const [first, second] = [ended.take(), lasting.take()];
  ended.end();
  await expect(first).rejects.toThrow('ended');
  held.release();
  expect((await second).bytes).toBe(bytes);
  lasting.end();
  await settled();
  expect(budget.usedBytes).toBe(0);
});
