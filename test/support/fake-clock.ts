import { Clock } from '#kernel';

/** Stands still at a moment, starting with the present, until a test moves it. */
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
