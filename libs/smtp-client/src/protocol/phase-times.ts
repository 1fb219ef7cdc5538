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

/** How long each phase takes. One clock reading per phase; a phase that comes again adds to what it took before. */
export class PhaseTimes {
  #since = performance.now();
  readonly #times: Partial<Record<keyof AttemptTimings, number>> = {};

  /** The phase ends now; the next one begins. */
  ended(phase: SmtpPhase): void {
    if (phase === 'quit' || phase === 'idle') return;
    const now = performance.now();
    const name = nameOf[phase];
    this.#times[name] = (this.#times[name] ?? 0) + now - this.#since;
    this.#since = now;
  }

  /** In milliseconds with one decimal, after those of an earlier part of the same attempt. */
  after(earlier?: AttemptTimings): AttemptTimings {
    const times: Partial<Record<keyof AttemptTimings, number>> = { ...earlier };
    for (const [name, time] of Object.entries(this.#times) as [keyof AttemptTimings, number][]) {
      times[name] = Math.round(time * 10) / 10;
    }
    return times;
  }
}
