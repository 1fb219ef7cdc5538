import { describe, expect, it } from '@jest/globals';
import { ReceivingPace } from './reception.js';

const limits = { maxMs: 100_000, graceMs: 10_000, minBytesPerSecond: 500 };

describe('the pace of a message that is being received', () => {
  it('allows the grace period, and more time for the bytes received', () => {
    const pace = new ReceivingPace(limits, 0);
    pace.waits(0);
    expect(pace.remainingMs(4_000)).toBe(6_000);
    pace.received(1_000, 4_000);
    pace.waits(4_000);
    expect(pace.remainingMs(4_000)).toBe(8_000);
    expect(pace.remainingMs(12_000)).toBe(0);
  });

  it('does not count time in which the client waits for us', () => {
    const pace = new ReceivingPace(limits, 0);
    pace.waits(0);
    pace.received(10, 1_000);
    expect(pace.remainingMs(50_000)).toBe(9_020);
  });

  it('does not count time in which we do not read', () => {
    const pace = new ReceivingPace(limits, 0);
    pace.waits(0);
    pace.held(1_000);
    pace.waits(2_000);
    expect(pace.remainingMs(50_000)).toBe(9_000);
    pace.resumed(50_000);
    expect(pace.remainingMs(51_000)).toBe(8_000);
  });

  it('ends after the maximum duration', () => {
    const pace = new ReceivingPace(limits, 0);
    pace.received(1_000_000_000, 99_000);
    expect(pace.remainingMs(99_000)).toBe(1_000);
  });
});
