import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseTrouble } from '#kernel';
import { PatientWriter } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { AttemptDetail, DeliveryOutcome } from '../../domain/delivery-outcome.js';
import { FinishedAttempt } from '../../domain/finished-attempt.js';

const firstPauseMs = 100;
/** While the database is in trouble, claims wait for the next attempt to write, so the pause stays short. */
const maxTroublePauseMs = 1_000;
const maxPauseMs = 10_000;
/** Minimum interval between two log lines about a database that accepts no writes. */
const quietMs = 5_000;

/**
 * Keeps outcomes of attempts that could not be written yet, for as long as the process lives: if a reply that was read
 * is lost, the message is sent twice. The memory is bounded by the deliveries that were under way, because nothing new
 * is claimed while outcomes wait here. The lease of each attempt tells whether its recipient is still this worker's.
 */
@Injectable()
export class UnwrittenOutcomes implements OnApplicationShutdown {
  private readonly writer = new PatientWriter((error) => this.reportTrouble(error));
  private readonly stopped = new AbortController();
  private troubled = 0;
  private reportedAt = -Infinity;

  constructor(private readonly logger: Logger) {}

  /**
   * Whether claims pause because the database is away or in trouble. A single outcome that the database refuses does
   * not stop claims.
   */
  get areWaiting(): boolean {
    return this.writer.isWaiting || this.troubled > 0;
  }

  /** Writes a batch, and repeats it while the database is away. */
  writeBatch<Result>(write: () => Promise<Result>): Promise<Result> {
    return this.writer.write(write);
  }

  /**
   * Writes one attempt, and repeats it until it is written. If the database refuses the attempt itself, it is written
   * without the texts of the remote side. Rejects only if the program stops first.
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

  /** Outcomes that are still unwritten end with the process and count as unknown. */
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

/** The outcome without any text of the remote side. */
function withoutWords({ outcome, ...attempt }: FinishedAttempt): FinishedAttempt {
  const detail: AttemptDetail = { durationMs: Math.min(Math.max(0, outcome.detail.durationMs), 2 ** 31 - 1) };
  const reason = 'The reply could not be stored';
  const bare: DeliveryOutcome = outcome.kind === 'delivered' ? { ...outcome, detail } : { ...outcome, reason, detail };
  return { ...attempt, outcome: bare };
}
