import { GroupCommitMetrics, Metrics } from '#platform/metrics';
import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { FinishedAttempt } from '../domain/finished-attempt.js';
import { AttemptTraces } from './attempt-traces.js';

/** Counts and traces the outcomes of attempts. */
@Injectable()
export class OutcomeObserver {
  private readonly attempts: Counter<'outcome'>;
  private readonly durations: Histogram<'outcome'>;
  private readonly latency: Histogram;

  constructor(
    private readonly traces: AttemptTraces,
    private readonly groups: GroupCommitMetrics,
    metrics: Metrics,
  ) {
    this.attempts = metrics.counter('postrider_delivery_attempts_total', 'Delivery attempts by outcome', ['outcome']);
    this.durations = metrics.histogram(
      'postrider_delivery_attempt_duration_seconds',
      'From the turn of a recipient to the reply of its host',
      [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
      ['outcome'],
    );
    this.latency = metrics.histogram(
      'postrider_delivery_latency_seconds',
      'From acceptance to the final outcome of a recipient',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3_600, 86_400],
    );
  }

  /**
   * A transaction is committed. `submitted`: attempts that were given to it. `settled`: those whose lease this worker still
   * held; the others are another worker's to count.
   */
  committed(submitted: number, settled: readonly FinishedAttempt[], now: Date): void {
    this.traces.record(settled);
    this.groups.observe('outcomes', submitted);
    for (const attempt of settled) this.count(attempt, now);
  }

  private count({ recipient, outcome, retryAt }: FinishedAttempt, now: Date): void {
    this.attempts.inc({ outcome: outcome.kind });
    this.durations.observe({ outcome: outcome.kind }, outcome.detail.durationMs / 1_000);
    if (retryAt === undefined) this.latency.observe((now.getTime() - recipient.queuedAt.getTime()) / 1_000);
  }
}
