import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseTrouble } from '#kernel';
import { PatientWriter } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { AttemptDetail, DeliveryOutcome } from '../../domain/delivery-outcome.js';
import { FinishedAttempt } from '../../domain/finished-attempt.js';

const firstPauseMs = 100;
/** Claims wait for the end of trouble of the database, and for nothing else. */
const maxTroublePauseMs = 1_000;
const maxPauseMs = 10_000;
/** Minimum interval between two log lines about a database that takes nothing. */
const quietMs = 5_000;

/**
 * What this process knows of attempts and could not write down yet. It is kept for as long as the process lives, since
 * forgetting a reply that was read sends the message twice. What is kept is bounded by what was under way: while something
 * waits here nothing new is claimed. The lease of each attempt says whether its recipient is still this worker's.
 */
@Injectable()
export class UnwrittenOutcomes implements OnApplicationShutdown {
  private readonly writer = new PatientWriter((error) => this.reportTrouble(error));
  private readonly stopped = new AbortController();
  private troubled = 0;
  private reportedAt = -Infinity;

  constructor(private readonly logger: Logger) {}

  /** Claims pause: the database is away or in trouble. One outcome that is refused for itself holds nobody up. */
  get areWaiting(): boolean {
    return this.writer.isWaiting || this.troubled > 0;
  }

  /** Writes a batch, again and again while the database is away. */
  writeBatch<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.writer.write(write);
  }

  /**
   * Writes one attempt until it is written. Where its own text is what the database does not take, it is written without.
   * Rejects only where the program stops before.
   */
  async keep(attempt: FinishedAttempt, write: (attempt: FinishedAttempt) => Promise<void>): Promise<void> {
    let form = attempt;
    let isTroubled = false;
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
        try {
          return await write(form);
        } catch (error) {
          if (this.stopped.signal.aborted) throw error;
          if (isDatabaseTrouble(error)) {
            this.reportTrouble(error);
            if (!isTroubled) this.troubled++;
            isTroubled = true;
            pauseMs = Math.min(pauseMs, maxTroublePauseMs);
          } else {
            const { emailId, recipientNo } = attempt.recipient;
            this.logger.error({ error, emailId, recipientNo }, 'the outcome of an attempt is refused by the database');
            form = withoutWords(attempt);
          }
        }
        await delay(pauseMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
      }
    } finally {
      if (isTroubled) this.troubled--;
    }
  }

  /** What is left now ends with the process: its outcome is unknown. */
  onApplicationShutdown(): void {
    this.stopped.abort();
    this.writer.stop();
  }

  private reportTrouble(error: unknown): void {
    if (performance.now() - this.reportedAt < quietMs) return;
    this.reportedAt = performance.now();
    this.logger.warn({ error }, 'outcomes are kept until the database takes them');
  }
}

/** What became of the recipient, without anything that the other side said. */
function withoutWords({ outcome, ...attempt }: FinishedAttempt): FinishedAttempt {
  const detail: AttemptDetail = { durationMs: Math.min(Math.max(0, outcome.detail.durationMs), 2 ** 31 - 1) };
  const reason = 'The reply could not be stored';
  const bare: DeliveryOutcome = outcome.kind === 'delivered' ? { ...outcome, detail } : { ...outcome, reason, detail };
  return { ...attempt, outcome: bare };
}
