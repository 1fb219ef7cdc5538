import { OutgoingEmails } from '#emails';
import { Clock } from '#kernel';
import { Database, GroupCommit } from '#platform/database';
import { GroupCommitMetrics, Metrics } from '#platform/metrics';
import { AttemptTrace, EmailTracing } from '#platform/tracing';
import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { OutcomeLog } from '../../application/ports/outcome-log.port.js';
import { ReactToOutcomes } from '../../application/react-to-outcomes.js';
import { FinishedAttempt } from '../../domain/finished-attempt.js';
import { changeAfter } from '../../domain/recipient-progress.js';
import { WorkerIdentity } from '../worker/worker-identity.js';
import { UnwrittenOutcomes } from './unwritten-outcomes.js';

/** Writes the ends of attempts in shared transactions: queue, attempt, recipient, email and events together. */
@Injectable()
export class PostgresOutcomeLog extends OutcomeLog {
  private readonly writer = new GroupCommit((attempts: readonly FinishedAttempt[]) => this.write(attempts), {
    maxBatch: 256,
    concurrency: 1,
    gatherMs: 10,
  });

  private readonly attempts: Counter<'outcome'>;
  private readonly durations: Histogram<'outcome'>;
  private readonly latency: Histogram;

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly emails: OutgoingEmails,
    private readonly reactions: ReactToOutcomes,
    private readonly worker: WorkerIdentity,
    private readonly clock: Clock,
    private readonly unwritten: UnwrittenOutcomes,
    private readonly tracing: EmailTracing,
    private readonly batches: GroupCommitMetrics,
    metrics: Metrics,
  ) {
    super();
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

  record(attempt: FinishedAttempt): Promise<void> {
    return this.unwritten.keep(attempt, (form) => this.writer.submit(form));
  }

  private async write(attempts: readonly FinishedAttempt[]): Promise<{ value: void }[]> {
    const now = this.clock.now();
    const counted = await this.unwritten.writeBatch(() => this.settle(attempts, now));
    this.tracing.attempted(counted.map(traceOf));
    this.batches.observe('outcomes', attempts.length);
    // One whose lease was lost is another worker's to tell of.
    for (const attempt of counted) this.count(attempt, now);
    return attempts.map(() => ({ value: undefined }));
  }

  /** Again for attempts that were settled before, it changes nothing: their lease is over. */
  private settle(attempts: readonly FinishedAttempt[], now: Date): Promise<readonly FinishedAttempt[]> {
    return this.database.run(async (transaction) => {
      const settled = await this.queue.settle(this.worker.id, attempts, transaction);
      await this.emails.record(
        settled.map((attempt) => changeAfter(attempt, now)),
        transaction,
      );
      await this.reactions.execute(settled, now, transaction);
      return settled;
    });
  }

  private count({ recipient, outcome, retryAt }: FinishedAttempt, now: Date): void {
    this.attempts.inc({ outcome: outcome.kind });
    this.durations.observe({ outcome: outcome.kind }, outcome.detail.durationMs / 1_000);
    if (retryAt === undefined) this.latency.observe((now.getTime() - recipient.queuedAt.getTime()) / 1_000);
  }
}

function traceOf({ recipient, outcome, startedAt, retryAt }: FinishedAttempt): AttemptTrace {
  const { emailId, recipientNo, attempt, queuedAt } = recipient;
  const { host, replyCode, durationMs } = outcome.detail;
  const category = outcome.kind === 'delivered' ? undefined : outcome.category;
  const isFinal = retryAt === undefined;
  const seen = { host, replyCode, durationMs, category };
  return { emailId, recipientNo, attempt, queuedAt, startedAt, outcome: outcome.kind, isFinal, ...seen };
}
