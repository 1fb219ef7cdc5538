import { Clock } from '#kernel';

/** A clock that tests move. Starts a day ago, so that what it says always lies in the past of PostgreSQL's clock too. */
export class TestClock extends Clock {
  private milliseconds = Date.now() - 24 * 3_600_000;

  now(): Date {
    return new Date(this.milliseconds);
  }

  advance(milliseconds: number): void {
    this.milliseconds += milliseconds;
  }
}
