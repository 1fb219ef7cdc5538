import { describe, expect, it } from '@jest/globals';
import { WorkAllowance } from './work-allowance.js';

const limits = { perOwner: 100, together: 200, burstMs: 50 };

describe('the CPU that an owner may use', () => {
  it('is free up to the burst, and costs waiting time beyond it', () => {
    const work = new WorkAllowance(limits);
    expect(work.charge('a', 50, 0)).toBe(0);
    expect(work.charge('a', 10, 0)).toBe(100);
    expect(work.charge('b', 10, 0)).toBe(0);
    expect(work.charge('a', 0, 100)).toBe(0);
  });

  it('is shared among owners over their burst', () => {
    const work = new WorkAllowance(limits);
    for (let owner = 0; owner < 20; owner++) work.charge(`owner ${owner}`, 60, 0);
    expect(work.waitMs('owner 0', 0)).toBe(1_000);
  });

  it('is not reduced by owners within their burst', () => {
    const work = new WorkAllowance(limits);
    for (let owner = 0; owner < 5_000; owner++) work.charge(`owner ${owner}`, 1, 0);
    expect(work.charge('a', 60, 0)).toBe(100);
  });

  it('grows again once the others are within their burst', () => {
    const work = new WorkAllowance(limits);
    for (let owner = 0; owner < 20; owner++) work.charge(`owner ${owner}`, 51, 0);
    work.charge('a', 1_000, 0);
    expect(work.waitMs('a', 0)).toBeCloseTo((950 * 1_000) / (200 / 21));
    for (let looks = 0; looks < 20; looks++) work.waitMs('a', 200);
    expect(work.waitMs('a', 200)).toBeLessThan(10_000);
  });

  it('is bounded for many owners that stay just within their burst', () => {
    const work = new WorkAllowance(limits);
    let workedMs = 0;
    for (let nowMs = 0; nowMs < 100_000; nowMs += 100) {
      for (let owner = 0; owner < 100; owner++) {
        if (work.waitMs(`owner ${owner}`, nowMs) > 0) continue;
        work.charge(`owner ${owner}`, 5, nowMs);
        workedMs += 5;
      }
    }
    // Twice `together`, and the bursts.
    expect(workedMs).toBeLessThan(2 * 200 * 100 + 100 * (limits.burstMs + 5));
  });

  it('is restored by a refund', () => {
    const work = new WorkAllowance(limits);
    work.charge('a', 60, 0);
    work.refund('a', 60);
    expect(work.charge('a', 50, 0)).toBe(0);
  });

  it('is remembered for a bounded number of owners, and only while they have debt', () => {
    const work = new WorkAllowance(limits);
    const size = (): number => (work as unknown as { accounts: Map<string, unknown> }).accounts.size;
    for (let owner = 0; owner < 20_000; owner++) work.charge(`owner ${owner}`, 1, 0);
    expect(size()).toBe(10_000);
    for (let owner = 0; owner < 20_000; owner++) work.charge('late', 0, 3_600_000 + owner);
    expect(size()).toBe(1);
  });
});
