import type { AttemptTimings } from '#delivery';
import type { SmtpPhase } from './smtp-options.js';

/** Interval between two checks of a connection on which nothing happens. */
const lookEveryMs = 5_000;

/** Decides how long a wait may last. */
interface PhaseClockOwner {
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

/**
 * A deadline that moves often and rarely passes.
 *
 * A timer per command would be set and cleared several times per message. This one is set again only for an earlier
 * deadline. A later deadline is noticed when the timer fires, which then waits for the remaining time.
 */
class Deadline {
  #at = Infinity;
  #firesAt = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly onPassed: () => void) {}

  set(milliseconds: number): void {
    this.#at = performance.now() + milliseconds;
    if (this.#at < this.#firesAt) this.#arm(milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
    this.#firesAt = Infinity;
  }

  #arm(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.#fire(), milliseconds);
    this.#timer.unref();
  }

  #fire(): void {
    this.#firesAt = Infinity;
    const remaining = this.#at - performance.now();
    if (remaining > 0) this.#arm(remaining);
    else this.onPassed();
  }
}

const nameOf: Record<Exclude<SmtpPhase, 'quit' | 'idle'>, keyof AttemptTimings> = {
  connect: 'connect',
  banner: 'greeting',
  ehlo: 'ehlo',
  starttls: 'tls',
  auth: 'auth',
  mail: 'mail',
  rcpt: 'mail',
  dataInitiation: 'data',
  dataBlock: 'data',
  dataTermination: 'reply',
};

const measured = new Set(Object.values(nameOf));

/**
 * Measures the duration of each phase, with one clock reading per phase. A repeated phase adds to its earlier duration.
 */
export class PhaseTimes {
  #since = performance.now();
  readonly #times: Partial<Record<keyof AttemptTimings, number>> = {};

  /** Ends the phase and begins the next one. */
  ended(phase: SmtpPhase): void {
    if (phase === 'quit' || phase === 'idle') return;
    const now = performance.now();
    const name = nameOf[phase];
    this.#times[name] = (this.#times[name] ?? 0) + now - this.#since;
    this.#since = now;
  }

  /** The durations in milliseconds with one decimal, added to those of an earlier part of the same attempt. */
  after(earlier?: AttemptTimings): AttemptTimings {
    const times: Partial<Record<keyof AttemptTimings, number>> = earlier === undefined ? {} : { ...earlier };
    for (const name of measured) {
      const time = this.#times[name];
      if (time !== undefined) times[name] = Math.round(time * 10) / 10;
    }
    return times;
  }
}
