import { Clock } from '#kernel';

/** A clock that tests move. It starts a day ago, so that it always stays behind PostgreSQL's clock. */
export class TestClock extends Clock {
  private milliseconds = Date.now() - 24 * 3_600_000;

  now(): Date {
    return new Date(this.milliseconds);
  }

  advance(milliseconds: number): void {
    this.milliseconds += milliseconds;
  }
}
