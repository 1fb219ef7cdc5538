import { Deadline } from './deadline.js';

/** How often a connection on which nothing happens is looked at. */
const lookEveryMs = 5_000;

/** What a wait ends with, or is asked while it lasts. */
export interface PhaseClockOwner {
  /** Milliseconds that what is awaited now may take. */
  allowedMs(): number;
  /** The wait has lasted for so long, and has time left. True where it is ended all the same. */
  endsEarly(waitedMs: number): boolean;
  timeIsUp(): void;
}

/** The time allowed for what is awaited. While it runs, its owner is asked now and then whether to wait on. */
export class PhaseClock {
  readonly #deadline = new Deadline(() => this.#passed());
  #since = 0;

  constructor(private readonly owner: PhaseClockOwner) {}

  /** The time allowed starts anew. */
  start(): void {
    this.#since = performance.now();
    this.#deadline.set(Math.min(this.owner.allowedMs(), lookEveryMs));
  }

  stop(): void {
    this.#deadline.stop();
  }

  #passed(): void {
    const waitedMs = performance.now() - this.#since;
    const leftMs = this.owner.allowedMs() - waitedMs;
    if (leftMs <= 0) this.owner.timeIsUp();
    else if (!this.owner.endsEarly(waitedMs)) this.#deadline.set(Math.min(leftMs, lookEveryMs));
  }
}
