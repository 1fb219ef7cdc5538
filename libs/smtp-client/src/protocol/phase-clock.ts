import { Deadline } from './deadline.js';

/** Interval between two checks of a connection on which nothing happens. */
const lookEveryMs = 5_000;

/** Decides how long a wait may last. */
export interface PhaseClockOwner {
  /** Maximum duration of the present wait, in milliseconds. */
  allowedMs(): number;
  /** Whether the wait ends early, after `waitedMs`, although time is left. */
  endsEarly(waitedMs: number): boolean;
  timeIsUp(): void;
}

/** Limits the duration of a wait. During the wait it regularly asks its owner whether to continue. */
export class PhaseClock {
  readonly #deadline = new Deadline(() => this.#passed());
  #since = 0;

  constructor(private readonly owner: PhaseClockOwner) {}

  /** Starts a new wait. */
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
