import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LaneWindow } from './lane-window.js';

const concurrency = 24;

describe('the window of a lane', () => {
  let now: number;
  let window: LaneWindow;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    window = new LaneWindow(concurrency, { held: 0 });
    window.contentAsked();
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Three seconds of deliveries at `perSecond`, with claims of `claimMs`. */
  const deliver = (perSecond: number, claimMs: number): void => {
    for (const until = now + 3_000; now < until; now += 100) {
      window.measured(claimMs);
      window.add(perSecond / 10);
      window.remove(perSecond / 10);
    }
  };

  it('holds the same near the database, however fast the site is', () => {
    deliver(2_000, 5);
    expect(window.limit).toBe(concurrency + 256);
    expect(window.readsAhead).toBe(true);
  });

  it('reads nothing ahead until content was asked for, so that mail to test addresses is not rendered', () => {
    const unasked = new LaneWindow(concurrency, { held: 0 });
    unasked.open();
    expect(unasked.readsAhead).toBe(false);
    unasked.contentAsked();
    expect(unasked.readsAhead).toBe(true);
  });

  it('holds more far from the database, as much as the site takes in a few round trips', () => {
    deliver(500, 150);
    expect(window.limit).toBeGreaterThan(900);
    expect(window.limit).toBeLessThan(1_200);
    expect(window.readsAhead).toBe(true);
    deliver(5_000, 150);
    expect(window.limit).toBe(concurrency + 2_048);
  });

  it('holds no more for a slow site', () => {
    deliver(10, 150);
    expect(window.limit).toBe(concurrency + 256);
  });

  it('does not take a database that is busy for a moment for one that is far', () => {
    deliver(2_000, 5);
    for (let no = 0; no < 10; no++) window.measured(400);
    expect(window.limit).toBe(concurrency + 256);
  });

  it('reads nothing ahead whose turn is far off', () => {
    deliver(10, 150);
    expect(window.readsAhead).toBe(true);
    window.add(600);
    expect(window.readsAhead).toBe(false);
  });
});
