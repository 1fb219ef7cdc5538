import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { acceptanceSpanId, traceIdOf } from '#emails';
import { GroupCommitMetrics, Metrics } from '#observability/metrics';
import { SpanAttributes, Tracing } from '#observability/tracing';
import { FinishedAttempt } from '../domain/attempt.js';

/**
 * The spans of an email's recipients: `deliver` from acceptance to the last outcome, in it `queue` until the first
 * attempt, and one `attempt` each. They hold ids, numbers and host names, never addresses or replies.
 */
@Injectable()
export class AttemptTraces {
  constructor(private readonly tracing: Tracing) {}

  /** Called once the outcomes are durable. */
  record(attempts: readonly FinishedAttempt[]): void {
    if (!this.tracing.isOn) return;
    for (const attempt of attempts) this.recordOne(attempt);
  }

  private recordOne({ recipient, outcome, startedAt, retryAt }: FinishedAttempt): void {
    const { emailId, recipientNo, queuedAt, attempt } = recipient;
    const ids = { traceId: traceIdOf(emailId), spanId: recipientSpanId(emailId, recipientNo) };
    const endedAt = new Date(startedAt.getTime() + outcome.detail.durationMs);
    const hasFailed = outcome.kind !== 'delivered';
    if (attempt === 1) {
      this.tracing.record({ name: 'queue', parent: ids, startedAt: queuedAt, endedAt: startedAt, attributes: {} });
    }
    const attributes = attributesOf(attempt, outcome);
    this.tracing.record({ name: 'attempt', parent: ids, startedAt, endedAt, attributes, hasFailed });
    if (retryAt !== undefined) return;
    this.tracing.record({
      name: 'deliver',
      ids,
      parent: { traceId: ids.traceId, spanId: acceptanceSpanId(emailId) },
      startedAt: queuedAt,
      endedAt,
      attributes: { 'email.id': emailId, 'email.recipient': recipientNo, 'delivery.outcome': outcome.kind },
      hasFailed,
    });
  }
}

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
    // No host was asked about recipients that may get nothing any more.
    const attempts = settled.filter(({ outcome }) => !('withheld' in outcome) || outcome.withheld === undefined);
    this.traces.record(attempts);
    this.groups.observe('outcomes', submitted);
    for (const attempt of attempts) this.count(attempt, now);
  }

  private count({ recipient, outcome, retryAt }: FinishedAttempt, now: Date): void {
    this.attempts.inc({ outcome: outcome.kind });
    this.durations.observe({ outcome: outcome.kind }, outcome.detail.durationMs / 1_000);
    if (retryAt === undefined) this.latency.observe((now.getTime() - recipient.queuedAt.getTime()) / 1_000);
  }
}

function attributesOf(attempt: number, outcome: FinishedAttempt['outcome']): SpanAttributes {
  return {
    'delivery.attempt': attempt,
    'delivery.outcome': outcome.kind,
    'server.address': outcome.detail.host,
    'smtp.reply_code': outcome.detail.replyCode,
    'delivery.category': outcome.kind === 'delivered' ? undefined : outcome.category,
  };
}

/** Follows from the recipient, like the ids of its email, so that spans of all attempts find their parent. */
function recipientSpanId(emailId: string, recipientNo: number): string {
  return createHash('sha256').update(`${emailId} ${recipientNo}`).digest('hex').slice(0, 16);
}
