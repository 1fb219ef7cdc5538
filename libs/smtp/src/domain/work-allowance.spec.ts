import { describe, expect, it } from '@jest/globals';
import { WorkAllowance } from './work-allowance.js';

const limits = { perOwner: 100, together: 200, burstMs: 50 };

describe('the CPU that an owner may cost', () => {
  it('is free up to the burst, and then paid with time', () => {
    const work = new WorkAllowance(limits);
    expect(work.charge('a', 50, 0)).toBe(0);
    expect(work.charge('a', 10, 0)).toBe(100);
    expect(work.charge('b', 10, 0)).toBe(0);
    expect(work.charge('a', 0, 100)).toBe(0);
  });

  it('is less for each where many want it', () => {
    const work = new WorkAllowance(limits);
    for (let owner = 0; owner < 20; owner++) work.charge(`owner ${owner}`, 50, 0);
    expect(work.charge('owner 0', 10, 0)).toBe(1_000);
  });

  it('comes back where the work was worth it', () => {
    const work = new WorkAllowance(limits);
    work.charge('a', 60, 0);
    work.refund('a', 60);
    expect(work.charge('a', 50, 0)).toBe(0);
  });

  it('is remembered for a bounded number of owners, and not for those who have paid', () => {
    const work = new WorkAllowance(limits);
    const size = (): number => (work as unknown as { accounts: Map<string, unknown> }).accounts.size;
    for (let owner = 0; owner < 20_000; owner++) work.charge(`owner ${owner}`, 1, 0);
    expect(size()).toBe(10_000);
    for (let owner = 0; owner < 20_000; owner++) work.charge('late', 0, 3_600_000 + owner);
    expect(size()).toBe(1);
  });
});
