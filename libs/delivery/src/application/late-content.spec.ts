import { expect, it } from '@jest/globals';
import { FairBudget } from '#kernel';
import { ContentLoan, LateContent } from './contents-in-delivery.js';

const bytes = Buffer.from('content');
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function content(budget: FairBudget, size: number, render: () => Promise<Uint8Array> = async () => bytes): LateContent {
  return new LateContent(budget, ['lane', 'team'], size, render);
}

it('is read on the first request, shared with later ones, and read again after all have released it', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  let reads = 0;
  const late = content(budget, 60, async () => (reads++, bytes));
  expect(budget.used).toBe(0);

  const [first, second] = await Promise.all([late.use(0).content, late.use(1).content]);
  expect([reads, budget.used]).toEqual([1, 60]);
  first.release();
  first.release();
  await settled();
  expect(budget.used).toBe(60);
  second.release();
  await settled();
  expect(budget.used).toBe(0);

  (await late.use(0).content).release();
  expect(reads).toBe(2);
});

it('says whether other mail waits for the memory', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  const held = await content(budget, 60).use(0).content;
  expect(held.isInDemand).toBe(false);
  const next = content(budget, 60).use(0).content;
  expect(held.isInDemand).toBe(true);
  held.release();
  (await next).release();
});

it('keeps no memory when it cannot be read, and is read again on the next request', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  let mayFail = true;
  const late = content(budget, 60, async () => {
    if (mayFail) throw new Error('damaged');
    return bytes;
  });
  await expect(Promise.all([late.use(0).content, late.use(1).content])).rejects.toThrow('damaged');
  await settled();
  expect(budget.used).toBe(0);
  mayFail = false;
  expect((await late.use(0).content).bytes).toBe(bytes);
});

it('is released at the end of its delivery, even while it is still being read', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  const late = content(budget, 60);
  const loan = new ContentLoan((onGranted) => late.use(0, onGranted));
  await loan.take();
  const under = loan.take();
  loan.end();
  await expect(under).rejects.toThrow('ended');
  await settled();
  expect(budget.used).toBe(0);
});

it('reports when its memory is granted', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  const held = await content(budget, 60).use(0).content;
  const steps: string[] = [];
  const next = content(budget, 60, async () => (steps.push('read'), bytes)).use(0, () => steps.push('granted')).content;
  await settled();
  expect(steps).toEqual([]);
  held.release();
  (await next).release();
  expect(steps.sort()).toEqual(['granted', 'read']);
});

it('stops waiting for memory when its delivery ends', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  const held = await content(budget, 60).use(0).content;
  const late = content(budget, 60);
  const loans = [0, 1].map((no) => new ContentLoan((onGranted) => late.use(no, onGranted)));
  const [first, second] = loans.map((loan) => loan.take());

  loans[0]?.end();
  await expect(first).rejects.toThrow('ended');
  expect(budget.isContended).toBe(true);
  loans[1]?.end();
  await expect(second).rejects.toThrow('ended');
  expect(budget.isContended).toBe(false);
  held.release();
  await settled();
  expect(budget.used).toBe(0);
  await expect(loans[0]?.take()).rejects.toThrow('ended');
});

it('is delivered to a second delivery after the first one that asked has ended', async () => {
  const budget = new FairBudget({ total: 100, maxPerOwner: 100 });
  const held = await content(budget, 60).use(0).content;
  const late = content(budget, 60);
  const ended = new ContentLoan((onGranted) => late.use(0, onGranted));
  const lasting = new ContentLoan((onGranted) => late.use(1, onGranted));
  const [first, second] = [ended.take(), lasting.take()];
  ended.end();
  await expect(first).rejects.toThrow('ended');
  held.release();
  expect((await second).bytes).toBe(bytes);
  lasting.end();
  await settled();
  expect(budget.used).toBe(0);
});
