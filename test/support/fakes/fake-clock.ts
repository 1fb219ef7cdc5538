import { Clock } from '#kernel';

/** A clock that starts at the present and stands still until a test moves it. */
export class FakeClock extends Clock {
  constructor(private moment = new Date()) {
    super();
  }

  now(): Date {
    return this.moment;
  }

  advance(ms: number): void {
    this.moment = new Date(this.moment.getTime() + ms);
  }
}
