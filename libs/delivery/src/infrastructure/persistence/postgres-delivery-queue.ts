import { Transaction } from '#kernel';
import { Database, statementsOf, storableJson } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { LaneReport } from '../../domain/lane-limits.js';
import { ClaimedRecipient, FinishedAttempt } from '../../domain/finished-attempt.js';
import { retryHorizonMs } from '../../domain/retry-schedule.js';
import { beatStatement, sessionOfWorker } from './worker-presence-statements.js';
import { abandonStatement, freeStatement, returnStatement } from './abandon-statement.js';
import { claimStatement } from './claim-statement.js';
import { settleStatement } from './settle-statement.js';
import { UnwrittenOutcomes } from './unwritten-outcomes.js';

/** A server that restarts is back in seconds; one that stays away is asked twice an hour. */
const firstPauseMs = 15_000;
const longestPauseMs = 1_800_000;

@Injectable()
export class PostgresDeliveryQueue extends DeliveryQueue {
  constructor(
    private readonly database: Database,
    private readonly unwritten: UnwrittenOutcomes,
  ) {
    super();
  }

  async beat(workerId: string): Promise<void> {
    await this.database.execute(beatStatement(workerId));
  }

  /**
   * A worker whose session still stands has frozen, or cannot turn to its heartbeat: it lives. Where PostgreSQL has started
   * since the heartbeat, the session ended with it and says nothing.
   */
  forgetDeadWorkers(askingWorkerId: string, silentForMs: number, frozenForMs: number): Promise<number> {
    return this.forget(
      `id <> $1 AND heartbeat_at < now() - $2 * interval '1 millisecond'
       AND (heartbeat_at < now() - $3 * interval '1 millisecond'
            OR heartbeat_at > pg_postmaster_start_time()
               AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = $4 || workers.id))`,
      [askingWorkerId, silentForMs, frozenForMs, sessionOfWorker],
    );
  }

  forgetOtherWorkers(workerId: string): Promise<number> {
    return this.forget('id <> $1', [workerId]);
  }

  async retire(workerId: string): Promise<void> {
    await this.forget('id = $1', [workerId]);
  }

  async takeLane(lane: string, workerId: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'take-lane',
      text: `INSERT INTO lanes AS l (name, worker_id, taken_at) SELECT $1, id, now() FROM workers WHERE id = $2
             ON CONFLICT (name) DO UPDATE SET taken_at = now() WHERE l.worker_id = $2
             RETURNING 1`,
      values: [lane, workerId],
    });
    return rows.length > 0;
  }

  async leaveLane(lane: string, workerId: string): Promise<void> {
    await this.database.execute({
      name: 'leave-lane',
      text: 'DELETE FROM lanes WHERE name = $1 AND worker_id = $2',
      values: [lane, workerId],
    });
  }

  async abandonLane(lane: string, workerId: string): Promise<void> {
    await this.database.execute(abandonStatement(lane, workerId));
  }

  async returnLane(lane: string, workerId: string): Promise<void> {
    await this.database.execute(returnStatement(lane, workerId));
  }

  async claim(lane: string, workerId: string, limit: number): Promise<readonly ClaimedRecipient[] | undefined> {
    if (this.unwritten.areWaiting) return [];
    const rows = await this.database.query<ClaimedRecipient & Record<string, unknown>>(
      claimStatement(lane, workerId, limit, retryHorizonMs),
    );
    if (rows.length === 0) return undefined;
    return rows.filter((row) => row.emailId !== null);
  }

  async giveBack(workerId: string, recipients: readonly ClaimedRecipient[]): Promise<void> {
    await this.database.execute({
      name: 'give-back-recipients',
      text: `UPDATE outbound_queue q SET worker_id = NULL, attempt = q.attempt - 1
             FROM json_to_recordset($1::json) AS g (email_id uuid, no smallint, lease int)
             WHERE q.email_id = g.email_id AND q.recipient_no = g.no AND q.lease = g.lease AND q.worker_id = $2`,
      values: [
        JSON.stringify(
          recipients.map(({ emailId, recipientNo, lease }) => ({ email_id: emailId, no: recipientNo, lease })),
        ),
        workerId,
      ],
    });
  }

  async pause(lane: string, reason: string): Promise<void> {
    await this.database.execute({
      name: 'pause-lane',
      text: `INSERT INTO lane_pauses AS p (lane, since, until, failures, reason)
             VALUES ($1, now(), now() + $3 * interval '1 millisecond', 1, $2)
             ON CONFLICT (lane) DO UPDATE SET failures = p.failures + 1, reason = $2,
               until = now() + least($4, $3 * 2 ^ least(p.failures, 20)) * interval '1 millisecond'`,
      values: [lane, reason.replaceAll('\0', '').toWellFormed(), firstPauseMs, longestPauseMs],
    });
  }

  async resume(lane: string): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM lane_pauses WHERE lane = $1', values: [lane] });
  }

  async report(
    workerId: string,
    reports: readonly { readonly lane: string; readonly report: LaneReport | undefined }[],
  ): Promise<void> {
    await this.database.execute({
      name: 'report-lanes',
      text: `UPDATE lanes l SET report = r.report
             FROM json_to_recordset($1::json) AS r (lane text, report jsonb)
             WHERE l.name = r.lane AND l.worker_id = $2`,
      values: [storableJson(reports), workerId],
    });
  }

  /** Walks from lane to lane along the index: the cost grows with the lanes that wait, not with the mail in them. */
  async lanesWithWork(workerId: string, limit: number): Promise<readonly string[]> {
    const rows = await this.database.query<{ lane: string }>({
      name: 'lanes-with-work',
      text: `WITH RECURSIVE waiting AS (
               (SELECT lane, due_at FROM outbound_queue ORDER BY lane, due_at LIMIT 1)
               UNION ALL
               SELECT next.lane, next.due_at FROM waiting, LATERAL (
                 SELECT lane, due_at FROM outbound_queue WHERE lane > waiting.lane ORDER BY lane, due_at LIMIT 1
               ) next
             )
             SELECT lane FROM waiting
             WHERE due_at <= now()
               AND NOT EXISTS (SELECT 1 FROM lane_pauses p WHERE p.lane = waiting.lane AND p.until > now())
               AND NOT EXISTS (SELECT 1 FROM lanes l WHERE l.name = waiting.lane AND l.worker_id <> $1)
             LIMIT $2`,
      values: [workerId, limit],
    });
    return rows.map((row) => row.lane);
  }

  async settle(
    workerId: string,
    attempts: readonly FinishedAttempt[],
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]> {
    const counted = await statementsOf(transaction).query<{ position: number }>(settleStatement(workerId, attempts));
    return counted.map(({ position }) => attempts[position] as FinishedAttempt);
  }

  /**
   * In three statements. A worker may take a lane in the moment in which it is forgotten: whose lane it is does not count,
   * but that nobody knows its worker. Deleting a lane waits for a claim in it that is under way, and only a statement that
   * begins after that sees what the claim took.
   */
  private forget(which: string, values: unknown[]): Promise<number> {
    return this.database.run(async (transaction) => {
      await transaction.execute({ text: `DELETE FROM workers WHERE ${which}`, values });
      const lanes = await transaction.query<{ name: string; worker: string }>({
        text: `DELETE FROM lanes l WHERE NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = l.worker_id)
               RETURNING l.name, l.worker_id AS worker`,
      });
      return lanes.length === 0 ? 0 : transaction.execute(freeStatement(lanes));
    });
  }
}
