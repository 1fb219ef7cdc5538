import { createHash } from 'node:crypto';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { acceptanceSpanId, traceIdOf } from '#emails';
import { GroupCommitMetrics, Metrics } from '#observability/metrics';
import { SpanAttributes, Tracing } from '#observability/tracing';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock, GroupCommit, isDatabaseTrouble } from '#kernel';
import { Database, PatientWriter, Statement, storableJson } from '#postgres/database';
import { Logger } from '#observability/logging';
import { AttemptDetail, DeliveryOutcome, FinishedAttempt } from '../../domain/attempt.js';
import { OutcomeLog, SettleBatch } from '../../application/ports/delivery-queue.port.js';

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

/**
 * Each transaction costs as much as some 20 outcomes. A process that is killed sends the mail again whose outcomes it was
 * gathering, so it gathers no longer. Near the database a second batch is never full before the first one is written.
 */
const together = {
  maxBatch: 256,
  concurrency: 1,
  maxFullBatches: 4,
  gatherMs: 25,
  // Another writer may hold the lock on an email for long, for example a process that is frozen.
  ownerOf: ({ recipient }: FinishedAttempt): string => recipient.teamId,
};

/** Writes the ends of attempts in shared transactions. */
@Injectable()
export class PostgresOutcomeLog extends OutcomeLog {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly unwritten: UnwrittenOutcomes,
    private readonly observer: OutcomeObserver,
  ) {
    super();
  }

  inBatches(settle: SettleBatch): (attempt: FinishedAttempt) => Promise<void> {
    const writer = new GroupCommit((attempts: readonly FinishedAttempt[]) => this.write(attempts, settle), together);
    const submit = (attempt: FinishedAttempt): Promise<void> => writer.submit(attempt);
    return (attempt) => this.unwritten.keep(attempt, submit);
  }

  private async write(attempts: readonly FinishedAttempt[], settle: SettleBatch): Promise<{ value: void }[]> {
    const now = this.clock.now();
    const settled = await this.unwritten.writeBatch(() =>
      this.database.run((transaction) => settle(attempts, now, transaction)),
    );
    this.observer.committed(attempts.length, settled, now);
    return attempts.map(() => written);
  }
}

const written = { value: undefined };

/**
 * Ends a batch of attempts in one statement: final ones leave the queue, the others wait, and each that counts is
 * logged. Returns the positions of the attempts that counted, that is, whose lease was still this worker's.
 */
export function settleStatement(
  workerId: string,
  region: string | undefined,
  attempts: readonly FinishedAttempt[],
): Statement {
  return {
    name: 'settle-attempts',
    text: `
      WITH done AS (
        SELECT * FROM json_to_recordset($1::json) AS d (
          position int, email_id uuid, no smallint, lease int, attempt smallint, retry_at timestamptz,
          started_at timestamptz, duration_ms int, outcome text, category text, reason text, host text, address text, tls jsonb,
          reply_code smallint, enhanced_code text, reply_text text, timings jsonb, pool text,
          source_address text)
      ), ended AS (
        DELETE FROM outbound_queue q USING done d
        WHERE d.retry_at IS NULL AND q.email_id = d.email_id AND q.recipient_no = d.no
          AND q.lease = d.lease AND q.worker_id = $2
        RETURNING d.position
      ), waiting AS (
        UPDATE outbound_queue q SET worker_id = NULL, due_at = d.retry_at FROM done d
        WHERE d.retry_at IS NOT NULL AND q.email_id = d.email_id AND q.recipient_no = d.no
          AND q.lease = d.lease AND q.worker_id = $2
        RETURNING d.position
      ), counted AS (
        SELECT position FROM ended UNION ALL SELECT position FROM waiting
      ), logged AS (
        INSERT INTO delivery_attempts (email_id, recipient_no, attempt, started_at, duration_ms, outcome, category, reason,
                                       host, address, tls, reply_code, enhanced_code, reply_text, timings, region,
                                       pool, source_address)
        SELECT email_id, no, attempt, started_at, duration_ms, outcome, category, reason, host, address, tls, reply_code,
               enhanced_code, reply_text, timings, $3, pool, source_address
        FROM done JOIN counted USING (position) ON CONFLICT DO NOTHING
      )
      SELECT position FROM counted`,
    values: [storableJson(attempts.map(rowOf)), workerId, region ?? null],
  };
}

function rowOf({ recipient, outcome, startedAt, retryAt }: FinishedAttempt, position: number): Record<string, unknown> {
  const { detail } = outcome;
  return {
    position,
    email_id: recipient.emailId,
    no: recipient.recipientNo,
    lease: recipient.lease,
    attempt: recipient.attempt,
    retry_at: retryAt,
    started_at: startedAt,
    duration_ms: Math.round(detail.durationMs),
    outcome: outcome.kind === 'deferred' && outcome.outcomeUnknown ? 'unknown' : outcome.kind,
    category: outcome.kind === 'delivered' ? undefined : outcome.category,
    reason: outcome.kind === 'delivered' ? undefined : outcome.reason,
    host: detail.host,
    address: detail.address,
    tls: detail.tls,
    reply_code: detail.replyCode,
    enhanced_code: detail.enhancedCode,
    reply_text: detail.replyText,
    timings: detail.timings,
    pool: detail.pool,
    source_address: detail.sourceAddress,
  };
}
