import type { AttemptTimings } from '#delivery';
import type { SmtpPhase } from './smtp-options.js';

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
    const times: Partial<Record<keyof AttemptTimings, number>> = { ...earlier };
    for (const [name, time] of Object.entries(this.#times) as [keyof AttemptTimings, number][]) {
      times[name] = Math.round(time * 10) / 10;
    }
    return times;
  }
}
