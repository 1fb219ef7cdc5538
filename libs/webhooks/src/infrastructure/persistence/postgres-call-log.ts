import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Clock, GroupCommit, ItemResult, newId, Transaction } from '#kernel';
import {
  Database,
  DatabaseTransaction,
  PatientWriter,
  Row,
  Statement,
  statementsOf,
  storableJson,
} from '#postgres/database';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import {
  CallBatch,
  CallLog,
  CallTally,
  EndpointState,
  FinishedCall,
  HealthChange,
  SettledBatch,
  SettledCall,
  StoredHealth,
} from '../../application/ports/webhook-calls.port.js';
import { DisabledEndpoint } from '../../domain/failures.js';

const hourMs = 3_600_000;

/** A call whose result is to be written. */
type EndedCall = CallBatch['calls'][number];

/** Writes the results of calls in shared transactions. */
@Injectable()
export class PostgresCallLog extends CallLog implements OnApplicationShutdown {
  /** Retries the write while the database is unreachable, so that a call that was made is not made again. */
  private readonly patient = new PatientWriter(() => undefined);
  /** Calls of a batch whose commit may have failed. Only the database knows whether it was committed. */
  private readonly tried = new WeakSet<EndedCall>();
  private readonly calls: Counter<'result'>;
  private readonly lag: Histogram;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super();
    this.calls = metrics.counter('postrider_webhook_calls_total', 'Calls of webhook endpoints by result', ['result']);
    this.lag = metrics.histogram(
      'postrider_webhook_lag_seconds',
      'From an event to the success of its webhook',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3_600, 86_400],
    );
  }

  inBatches(
    settle: (batch: CallBatch, transaction: Transaction) => Promise<SettledBatch>,
  ): (call: FinishedCall) => Promise<EndpointState> {
    const options = { maxBatch: 256, concurrency: 1, gatherMs: 10 };
    const writer = new GroupCommit((calls: readonly EndedCall[]) => this.writeBatch(calls, settle), options);
    return (call) => writer.submit({ call, attemptId: newId() });
  }

  async write(calls: readonly SettledCall[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute(settleStatement(calls));
  }

  async count(tallies: readonly CallTally[], now: Date, transaction: Transaction): Promise<void> {
    const hour = Math.floor(now.getTime() / hourMs);
    const rows = tallies.map(({ id, calls, succeeded, last: { sentAt, result } }) => ({
      id,
      calls,
      succeeded,
      called_at: sentAt,
      status: result.status,
      // The body of a response may name anybody, and is kept with the attempt alone.
      error: result.status === 0 ? result.response : null,
    }));
    await statementsOf(transaction).execute({
      name: 'count-webhook-calls',
      text: `
        WITH made AS MATERIALIZED (
          SELECT * FROM json_to_recordset($1::json) AS m (
            id uuid, calls int, succeeded int, called_at timestamptz, status smallint, error text)
        ), locked AS MATERIALIZED (
          SELECT id FROM webhooks WHERE id = ANY (ARRAY(SELECT id FROM made)) ORDER BY id FOR UPDATE
        ), counted AS (
          INSERT INTO webhook_hours AS h (webhook_id, slot, hour, calls, succeeded)
          SELECT id, $2, $3, calls, succeeded FROM made JOIN locked USING (id)
          ON CONFLICT (webhook_id, slot) DO UPDATE SET hour = excluded.hour,
            calls = CASE WHEN h.hour = excluded.hour THEN h.calls ELSE 0 END + excluded.calls,
            succeeded = CASE WHEN h.hour = excluded.hour THEN h.succeeded ELSE 0 END + excluded.succeeded
        )
        UPDATE webhooks w SET last_called_at = m.called_at, last_status = m.status, last_error = m.error,
          failures = CASE WHEN m.succeeded > 0 THEN 0 ELSE w.failures END,
          failing_since = CASE WHEN m.succeeded > 0 THEN NULL ELSE w.failing_since END,
          last_failure_at = CASE WHEN m.succeeded > 0 THEN NULL ELSE w.last_failure_at END,
          probe_at = CASE WHEN m.succeeded > 0 THEN NULL ELSE w.probe_at END
        FROM made m WHERE w.id = m.id AND w.id = ANY (ARRAY(SELECT id FROM locked))`,
      values: [storableJson(rows), hour % 24, new Date(hour * hourMs)],
    });
  }

  lockHealth(webhookIds: readonly string[], transaction: Transaction): Promise<readonly StoredHealth[]> {
    return statementsOf(transaction).query<Row<StoredHealth>>({
      text: `SELECT id, status, failures, failing_since AS "failingSince", last_failure_at AS "lastFailureAt",
                    probe_at AS "probeAt" FROM webhooks WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
      values: [webhookIds],
    });
  }

  async changeHealth(change: HealthChange, transaction: Transaction): Promise<void> {
    const { before, after, disabledReason } = change;
    await statementsOf(transaction).execute({
      text: `UPDATE webhooks SET failures = $2, failing_since = $3, last_failure_at = $4, probe_at = $5,
               status = CASE WHEN $6::text IS NULL THEN status ELSE 'disabled' END,
               disabled_reason = coalesce($6, disabled_reason) WHERE id = $1`,
      values: [before.id, after.failures, after.failingSince, after.lastFailureAt, after.probeAt, disabledReason],
    });
    this.report(change);
  }

  async describe(
    webhookId: string,
    transaction: Transaction,
  ): Promise<Pick<DisabledEndpoint, 'endpoint' | 'teamId' | 'teamName'> | undefined> {
    const [row] = await statementsOf(transaction).query<
      Row<Pick<DisabledEndpoint, 'endpoint' | 'teamId' | 'teamName'>>
    >({
      text: `SELECT w.endpoint, t.id AS "teamId", t.name AS "teamName"
             FROM webhooks w JOIN published_teams t ON t.id = w.team_id WHERE w.id = $1`,
      values: [webhookId],
    });
    return row;
  }

  onApplicationShutdown(): void {
    this.patient.stop();
  }

  private async writeBatch(
    calls: readonly EndedCall[],
    settle: (batch: CallBatch, transaction: Transaction) => Promise<SettledBatch>,
  ): Promise<ItemResult<EndpointState>[]> {
    const now = this.clock.now();
    const { settled, states } = await this.patient.write(() =>
      this.database.run(async (transaction) => {
        const committed = await this.committedBefore(calls, transaction);
        const uncounted = calls.filter((each) => !committed.includes(each)).map(({ call }) => call);
        const batch = await settle({ calls, uncounted, now }, transaction);
        const states = new Map([...(await statesAfter(committed, transaction)), ...batch.states]);
        return { settled: batch.calls, states };
      }),
    );
    for (const call of settled) this.meter(call, now);
    return calls.map(({ call }) => ({ value: states.get(call.message.webhookId) ?? 'up' }));
  }

  /**
   * The calls that an earlier write has committed although its confirmation was lost. They must not count twice for the
   * health of their endpoints.
   */
  private async committedBefore(
    known: readonly EndedCall[],
    transaction: DatabaseTransaction,
  ): Promise<readonly EndedCall[]> {
    const again = known.filter((each) => this.tried.has(each));
    known.forEach((each) => this.tried.add(each));
    if (again.length === 0) return [];
    const rows = await transaction.query<{ id: string }>({
      text: `SELECT a.id FROM unnest($1::uuid[], $2::uuid[]) AS t (message_id, id) JOIN webhook_attempts a USING (message_id, id)`,
      values: [again.map(({ call }) => call.message.id), again.map(({ attemptId }) => attemptId)],
    });
    const ids = new Set(rows.map(({ id }) => id));
    return again.filter(({ attemptId }) => ids.has(attemptId));
  }

  private report({ before: { id, probeAt }, after, disabledReason }: HealthChange): void {
    const { failures, failingSince } = after;
    const fields = { webhookId: id, failures, failingSince };
    if (disabledReason !== undefined) {
      this.logger.warn(
        fields,
        'a webhook endpoint was disabled because every call failed for days; its events are kept',
      );
    } else if (probeAt === null && after.probeAt !== null) {
      this.logger.info(fields, 'a webhook endpoint is down; one message at a time is sent until it responds with 2xx');
    }
  }

  private meter({ call, status }: SettledCall, now: Date): void {
    if (call.notCalled !== undefined) return;
    this.calls.inc({ result: resultOf(call, status) });
    if (status === 'success') this.lag.observe(Math.max(0, now.getTime() - call.message.createdAt.getTime()) / 1_000);
  }
}

/** The states that the earlier write has left. */
async function statesAfter(
  committed: readonly EndedCall[],
  transaction: DatabaseTransaction,
): Promise<ReadonlyMap<string, EndpointState>> {
  if (committed.length === 0) return new Map();
  const rows = await transaction.query<{ id: string; state: EndpointState }>({
    text: `SELECT id, CASE WHEN status = 'disabled' THEN 'disabled' WHEN probe_at IS NOT NULL THEN 'down' ELSE 'up' END AS state
           FROM webhooks WHERE id = ANY ($1::uuid[])`,
    values: [committed.map(({ call }) => call.message.webhookId)],
  });
  return new Map(rows.map(({ id, state }) => [id, state]));
}

function resultOf({ result }: FinishedCall, status: SettledCall['status']): string {
  if (status === 'success') return 'success';
  return result.status === 0 ? 'no_answer' : 'refused';
}

/**
 * Writes the results of a batch of calls in one statement: finished messages leave the queue, the others get a due time,
 * and every call is logged. A result counts only if the message is still at the attempt that the call belongs to. If
 * two workers sent it, one result counts; a replay in between is not undone. The call of a message that retention has
 * dropped is not logged. The rows of the queue are first locked in the order of their ids, as replays do, so that no two
 * transactions deadlock.
 *
 * The array, the limit and the bounds help the planner, which plans once and without statistics: each row is found by its
 * key, in the partitions of the messages' days.
 */
export function settleStatement(settled: readonly SettledCall[]): Statement {
  const rows = settled.map(rowOf).sort((a, b) => (a.message_id < b.message_id ? -1 : 1));
  return {
    name: 'settle-webhook-calls',
    text: `
      WITH done AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1::json) AS d (
          message_id uuid, webhook_id uuid, round int, attempt smallint, status text, due_at timestamptz, attempt_id uuid,
          sent_at timestamptz, duration_ms int, http_status smallint, response text)
      ), locked AS MATERIALIZED (
        SELECT message_id FROM webhook_queue WHERE message_id = ANY (ARRAY(SELECT message_id FROM done))
        ORDER BY message_id FOR UPDATE
      ), queued AS MATERIALIZED (
        SELECT done.* FROM done JOIN locked USING (message_id)
      ), ended AS (
        DELETE FROM webhook_queue q USING queued d
        WHERE d.due_at IS NULL AND q.message_id = d.message_id AND q.round = d.round AND q.attempt = d.attempt
        RETURNING d.message_id, d.webhook_id, d.status
      ), waiting AS (
        UPDATE webhook_queue q SET due_at = d.due_at, attempt = q.attempt + 1 FROM queued d
        WHERE q.message_id = ANY (ARRAY(SELECT message_id FROM queued WHERE due_at IS NOT NULL))
          AND d.due_at IS NOT NULL AND q.message_id = d.message_id AND q.round = d.round AND q.attempt = d.attempt
        RETURNING d.message_id, d.webhook_id, d.status
      ), counted AS (
        SELECT * FROM ended UNION ALL SELECT * FROM waiting
      ), shown AS (
        UPDATE webhook_messages m SET status = c.status FROM counted c
        WHERE m.webhook_id = c.webhook_id AND m.id = c.message_id AND m.id BETWEEN $2 AND $3 AND m.status <> c.status
      )
      INSERT INTO webhook_attempts (message_id, id, sent_at, duration_ms, http_status, response)
      SELECT message_id, attempt_id, sent_at, duration_ms, http_status, response FROM done d, LATERAL (
        SELECT FROM webhook_messages m
        WHERE m.webhook_id = d.webhook_id AND m.id = d.message_id AND m.id BETWEEN $2 AND $3 LIMIT 1
      ) AS logged
      ON CONFLICT DO NOTHING`,
    values: [storableJson(rows), rows[0]?.message_id, rows[rows.length - 1]?.message_id],
  };
}

function rowOf({ call: { message, sentAt, result }, attemptId, status, dueAt }: SettledCall) {
  return {
    message_id: message.id,
    webhook_id: message.webhookId,
    round: message.round,
    attempt: message.attempt,
    status,
    due_at: dueAt,
    attempt_id: attemptId,
    sent_at: sentAt,
    duration_ms: Math.round(result.durationMs),
    http_status: result.status,
    response: result.response,
  };
}
