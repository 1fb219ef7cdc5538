import { Clock, newId, Notices } from '#kernel';
import { Database, DatabaseTransaction, GroupCommit, ItemResult, PatientWriter } from '#platform/database';
import { Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { CallLog, EndpointState, FinishedCall } from '../../application/ports/call-log.port.js';
import { disabledNotice, DisabledEndpoint } from '../../domain/disabled-notice.js';
import { EndpointHealth, disableAfterDays, healthAfterFailures, mustBeDisabled } from '../../domain/endpoint-health.js';
import { nextTryAt } from '../../domain/retry-schedule.js';
import { isSuccess } from '../../domain/webhook-message.js';
import { SettledCall, settleStatement } from './settle-statement.js';

/** A call whose result is to be written. */
interface EndedCall {
  readonly call: FinishedCall;
  readonly attemptId: string;
}

type HealthRow = EndpointHealth & { readonly id: string; readonly status: string } & Record<string, unknown>;

/** Writes results of calls in shared transactions: queue, message, attempt and the endpoint's health together. */
@Injectable()
export class PostgresCallLog extends CallLog implements OnApplicationShutdown {
  /** Retries the write while the database is unreachable, so that a call that was made is not made again. */
  private readonly patient = new PatientWriter(() => undefined);
  private readonly writer = new GroupCommit((calls: readonly EndedCall[]) => this.write(calls), {
    maxBatch: 256,
    concurrency: 1,
    gatherMs: 10,
  });
  /** Calls of a batch whose commit may have failed. Only the database knows whether it was committed. */
  private readonly tried = new WeakSet<EndedCall>();
  private readonly calls: Counter<'result'>;
  private readonly lag: Histogram;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly notices: Notices,
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

  record(call: FinishedCall): Promise<EndpointState> {
    // The row in the history keeps one id, even if the write is repeated.
    return this.writer.submit({ call, attemptId: newId() });
  }

  onApplicationShutdown(): void {
    this.patient.stop();
  }

  private async write(known: readonly EndedCall[]): Promise<ItemResult<EndpointState>[]> {
    const now = this.clock.now();
    const calls = known.map(({ call }) => call);
    const settled = known.map((each) => settledCall(each, now));
    const states = await this.patient.write(() =>
      this.database.run(async (transaction) => {
        const committed = await this.committedBefore(known, transaction);
        await transaction.execute(settleStatement(settled));
        const fresh = known.filter((each) => !committed.includes(each)).map(({ call }) => call);
        const states = await this.updateHealth(fresh, now, transaction);
        return new Map([...(await statesAfter(committed, transaction)), ...states]);
      }),
    );
    settled.forEach((call) => this.count(call, now));
    return calls.map(({ message }) => ({ value: states.get(message.webhookId) ?? 'up' }));
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

  /** Returns the endpoints that are not up. One success in a batch outweighs all failures of that endpoint. */
  private async updateHealth(
    calls: readonly FinishedCall[],
    now: Date,
    transaction: DatabaseTransaction,
  ): Promise<ReadonlyMap<string, EndpointState>> {
    const made = calls.filter(({ notCalled }) => notCalled !== true);
    const succeeded = new Set(made.filter(({ result }) => isSuccess(result)).map(({ message }) => message.webhookId));
    const failures = new Map<string, number>();
    for (const { message } of made) {
      if (!succeeded.has(message.webhookId))
        failures.set(message.webhookId, (failures.get(message.webhookId) ?? 0) + 1);
    }
    if (succeeded.size > 0) {
      await transaction.execute({
        name: 'webhook-succeeded',
        text: `UPDATE webhooks SET failures = 0, failing_since = NULL, last_failure_at = NULL, probe_at = NULL
               WHERE id = ANY ($1::uuid[]) AND failures > 0`,
        values: [[...succeeded]],
      });
    }
    return failures.size === 0 ? new Map() : this.countFailures(failures, made, now, transaction);
  }

  private async countFailures(
    failures: ReadonlyMap<string, number>,
    made: readonly FinishedCall[],
    now: Date,
    transaction: DatabaseTransaction,
  ): Promise<ReadonlyMap<string, EndpointState>> {
    const rows = await transaction.query<HealthRow>({
      text: `SELECT id, status, failures, failing_since AS "failingSince", last_failure_at AS "lastFailureAt",
                    probe_at AS "probeAt" FROM webhooks WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE`,
      values: [[...failures.keys()]],
    });
    const states = new Map<string, EndpointState>();
    for (const row of rows) {
      const health = healthAfterFailures(row, failures.get(row.id) ?? 0, now, Math.random());
      const disables = row.status === 'enabled' && mustBeDisabled(health, now);
      await transaction.execute({
        text: `UPDATE webhooks SET failures = $2, failing_since = $3, last_failure_at = $4, probe_at = $5,
                 status = CASE WHEN $6 THEN 'disabled' ELSE status END,
                 disabled_reason = CASE WHEN $6 THEN $7 ELSE disabled_reason END WHERE id = $1`,
        values: [
          row.id,
          health.failures,
          health.failingSince,
          health.lastFailureAt,
          health.probeAt,
          disables,
          `Every call failed for ${disableAfterDays} days`,
        ],
      });
      if (disables || row.status === 'disabled') states.set(row.id, 'disabled');
      else if (health.probeAt !== null) states.set(row.id, 'down');
      if (disables) await this.announce(row.id, health, made, transaction);
      this.report(row, health, disables);
    }
    return states;
  }

  private async announce(
    id: string,
    { failingSince }: EndpointHealth,
    made: readonly FinishedCall[],
    transaction: DatabaseTransaction,
  ): Promise<void> {
    const [row] = await transaction.query<Pick<DisabledEndpoint, 'endpoint' | 'teamId' | 'teamName'>>({
      text: `SELECT w.endpoint, t.id AS "teamId", t.name AS "teamName"
             FROM webhooks w JOIN published_teams t ON t.id = w.team_id WHERE w.id = $1`,
      values: [id],
    });
    const last = made.findLast(({ message }) => message.webhookId === id);
    if (row === undefined || failingSince === null || last === undefined) return;
    await this.notices.announce(
      disabledNotice({ id, ...row, failingSince, lastStatus: last.result.status }),
      transaction,
    );
  }

  private report(
    { id, probeAt }: HealthRow,
    { failures, failingSince, probeAt: nextProbeAt }: EndpointHealth,
    disables: boolean,
  ): void {
    const fields = { webhookId: id, failures, failingSince };
    if (disables) {
      this.logger.warn(
        fields,
        'a webhook endpoint was disabled because every call failed for days; its events are kept',
      );
    } else if (probeAt === null && nextProbeAt !== null) {
      this.logger.info(fields, 'a webhook endpoint is down; one message at a time is sent until it responds with 2xx');
    }
  }

  private count({ call, status }: SettledCall, now: Date): void {
    if (call.notCalled === true) return;
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

function settledCall({ call, attemptId }: EndedCall, now: Date): SettledCall {
  if (isSuccess(call.result)) return { call, attemptId, status: 'success', dueAt: undefined };
  const dueAt = call.notCalled === true ? undefined : nextTryAt(call.message.attempt + 1, now, Math.random());
  return { call, attemptId, status: dueAt === undefined ? 'failed' : 'attempting', dueAt };
}

function resultOf({ result }: FinishedCall, status: SettledCall['status']): string {
  if (status === 'success') return 'success';
  return result.status === 0 ? 'no_answer' : 'refused';
}
