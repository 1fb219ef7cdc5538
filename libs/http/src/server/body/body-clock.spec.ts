import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { BodyClock, WatchedBody } from './body-clock.js';

class Upload {
  readonly startedAt = performance.now();
  receivedBytes = 0;
  pausedMs = 0;
  expiredAfterMs: number | undefined;

  expire(): void {
    this.expiredAfterMs ??= performance.now() - this.startedAt;
  }
}

let clock: BodyClock;
let upload: Upload;
let watched: WatchedBody;

beforeEach(() => {
  jest.useFakeTimers();
  clock = new BodyClock();
  upload = new Upload();
  watched = clock.start(upload);
});

afterEach(() => {
  clock.stop(watched);
  jest.advanceTimersByTime(1_000);
  jest.useRealTimers();
});

/** Lets seconds pass, in each of which something arrives. */
function pass(seconds: number, bytesPerSecond = 0, pausedMs = 0): void {
  for (let second = 0; second < seconds; second++) {
    upload.receivedBytes += bytesPerSecond;
    upload.pausedMs += pausedMs;
    jest.advanceTimersByTime(1_000);
  }
}

it('a body that has not begun is late after twenty seconds', () => {
  pass(19);
  expect(upload.expiredAfterMs).toBeUndefined();
  pass(2);
  expect(upload.expiredAfterMs).toBe(21_000);
});

it('a body at the rate of a slow network is not late for five minutes', () => {
  pass(299, 16 * 1024);
  expect(upload.expiredAfterMs).toBeUndefined();
  pass(2, 16 * 1024);
  expect(upload.expiredAfterMs).toBe(301_000);
});

it('a body that stalls is late twenty seconds later, however much of it came at once', () => {
  pass(1, 9_000_000);
  pass(19);
  expect(upload.expiredAfterMs).toBeUndefined();
  pass(2);
  expect(upload.expiredAfterMs).toBeLessThanOrEqual(22_000);
});

it('a body that drips is late although something always comes', () => {
  pass(1, 9_000_000);
  pass(30, 100);
  expect(upload.expiredAfterMs).toBeLessThanOrEqual(22_000);
});

it('the time in which the service does not read a body is not its own', () => {
  pass(60, 0, 1_000);
  expect(upload.expiredAfterMs).toBeUndefined();
  pass(21);
  expect(upload.expiredAfterMs).toBeDefined();
});
