import { domainOf, GroupCommit, Transaction } from '#kernel';
import { OutboundQueue, QueuedRecipient, RecipientOfEmail } from '#emails';
import { Database, Statement, statementsOf, storableJson } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { LaneNames, LaneSignal } from '../../application/ports/lanes.port.js';
import {
  Claim,
  DeliveryQueue,
  LanesWithWork,
  MovedSender,
  TeamsTurn,
} from '../../application/ports/delivery-queue.port.js';
import { ServedRegions } from '../../domain/lane-name.js';
import { LaneReport } from '../../domain/lane-limits.js';
import { ClaimedRecipient, FinishedAttempt } from '../../domain/attempt.js';
import { retryHorizonMs } from '../../domain/recipient-progress.js';
import {
  abandonStatement,
  freeStatement,
  heartbeatStatement,
  HeldLane,
  isDueStatement,
  lanesWithWorkStatement,
  moveRecipientsStatement,
  moveWaitingStatement,
  pauseStatement,
  releaseLanesStatement,
  returnRecipientsStatement,
  returnStatement,
  sessionOfWorker,
} from './lane-statements.js';
import { claimBulkStatement, claimInTurnsStatement, claimStatement } from './claim-statements.js';
import { settleStatement, UnwrittenOutcomes } from './postgres-outcome-log.js';

/**
 * Within this time every process has been told that the domain is deleted. Before, a process might sign with a cached
 * key.
 */
const untilKnown = `interval '3 seconds'`;

/** Puts accepted mail into the lane of its destination. */
@Injectable()
export class PostgresOutboundQueue extends OutboundQueue {
  constructor(
    private readonly lanes: LaneNames,
    private readonly signal: LaneSignal,
  ) {
    super();
  }

  async enqueue(recipients: readonly QueuedRecipient[], transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'enqueue-recipients',
      text: `INSERT INTO outbound_queue (email_id, recipient_no, size, due_at, queued_at, lane, address, team_id, domain_id, mail_from,
                                         is_personal, is_bulk)
             SELECT email_id, no, size, queued_at, queued_at, lane, address, team_id, domain_id, mail_from, is_personal,
                    is_bulk
             FROM json_to_recordset($1::json) AS r (
               email_id uuid, no smallint, size int, queued_at timestamptz, lane text, address text,
               team_id uuid, domain_id uuid, mail_from text, is_personal boolean, is_bulk boolean)`,
      values: [
        JSON.stringify(
          recipients.map((recipient) => ({
            email_id: recipient.emailId,
            no: recipient.recipientNo,
            size: recipient.size,
            queued_at: recipient.queuedAt,
            lane: this.laneOf(recipient),
            address: recipient.address,
            team_id: recipient.teamId,
            domain_id: recipient.domainId,
            mail_from: recipient.mailFrom,
            is_personal: recipient.isPersonal || undefined,
            is_bulk: recipient.isBulk === true || undefined,
          })),
        ),
      ],
    });
  }

  /**
   * Reads all rows that wait for another attempt, because the queue has no index by domain. Domains are rarely deleted.
   */
  async makeDue(domainId: string, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: `UPDATE outbound_queue q SET due_at = now() + ${untilKnown} FROM published_emails e
             WHERE e.id = q.email_id AND e.domain_id = $1 AND q.worker_id IS NULL AND q.due_at > now() + ${untilKnown}`,
      values: [domainId],
    });
  }

  /** Waits for no lock: claims and outcomes lock the same rows. */
  withdraw(recipients: readonly RecipientOfEmail[], transaction: Transaction): Promise<readonly RecipientOfEmail[]> {
    return statementsOf(transaction).query<RecipientOfEmail & Record<string, unknown>>({
      name: 'withdraw-recipients',
      text: `WITH waiting AS MATERIALIZED (
               SELECT q.email_id, q.recipient_no FROM unnest($1::uuid[], $2::smallint[]) AS r (email_id, no)
               JOIN outbound_queue q ON q.email_id = r.email_id AND q.recipient_no = r.no
               WHERE q.email_id = ANY ($1::uuid[]) AND q.worker_id IS NULL FOR UPDATE OF q SKIP LOCKED
             )
             DELETE FROM outbound_queue q USING waiting w
             WHERE q.email_id = ANY ($1::uuid[]) AND q.email_id = w.email_id AND q.recipient_no = w.recipient_no
             RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo"`,
      values: [recipients.map(({ emailId }) => emailId), recipients.map(({ recipientNo }) => recipientNo)],
    });
  }

  wake(recipients: readonly QueuedRecipient[]): void {
    const teamsOf = new Map<string, Set<string>>();
    for (const recipient of recipients) {
      const lane = this.laneOf(recipient);
      const teams = teamsOf.get(lane);
      if (teams === undefined) teamsOf.set(lane, new Set([recipient.teamId]));
      else teams.add(recipient.teamId);
    }
    for (const [lane, teams] of teamsOf) for (const teamId of teams) this.signal.wake(lane, teamId);
  }

  private laneOf(recipient: QueuedRecipient): string {
    return this.lanes.laneOf({ region: recipient.region, recipientDomain: domainOf(recipient.address) });
  }
}

const unknownId = '00000000-0000-0000-0000-000000000000';
/**
 * Thousands of lanes may end together where they share a host. They share statements, so that other work gets its turn
 * in between.
 */
const together = { maxBatch: 256, concurrency: 1, gatherMs: 0 };

/** Gives the mail of a lane to the worker that has the lane, and takes back what is to be tried again. */
@Injectable()
export class PostgresDeliveryQueue extends DeliveryQueue {
  private readonly left = this.grouped(releaseLanesStatement);
  private readonly untried = this.grouped(returnRecipientsStatement);
  private readonly paused = this.grouped(pauseStatement);
  private readonly abandoned = this.groupedEnd(abandonStatement);
  private readonly returned = this.groupedEnd(returnStatement);

  constructor(
    private readonly database: Database,
    private readonly unwritten: UnwrittenOutcomes,
    private readonly served: ServedRegions,
  ) {
    super();
  }

  async heartbeat(workerId: string): Promise<void> {
    await this.database.execute(heartbeatStatement(workerId, this.served.own));
  }

  /**
   * A worker whose session still exists is alive: it may be frozen or too busy for its heartbeat. If PostgreSQL was
   * restarted after the heartbeat, all sessions ended with it, so a missing session proves nothing.
   */
  async forgetDeadWorkers(
    askingWorkerId: string,
    silentForMs: number,
    frozenForMs: number | undefined,
  ): Promise<number> {
    const dead = `id <> $1 AND heartbeat_at < now() - $2 * interval '1 millisecond'
       AND (heartbeat_at < now() - $3 * interval '1 millisecond'
            OR heartbeat_at > pg_postmaster_start_time()
               AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = $4 || workers.id))`;
    const values = [askingWorkerId, silentForMs, frozenForMs ?? null, sessionOfWorker];
    // Nearly always there is none, and this is asked every second.
    const found = await this.database.query({
      text: `SELECT FROM workers WHERE ${dead} UNION ALL
             SELECT FROM lanes l WHERE NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = l.worker_id) LIMIT 1`,
      values,
    });
    return found.length === 0 ? 0 : this.forget(dead, values);
  }

  forgetOtherWorkers(workerId: string): Promise<number> {
    return this.forget('id <> $1', [workerId]);
  }

  async retire(workerId: string): Promise<void> {
    await this.forget('id = $1', [workerId]);
  }

  async acquireLane(lane: string, workerId: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'acquire-lane',
      text: `INSERT INTO lanes AS l (name, worker_id, taken_at) SELECT $1, id, now() FROM workers WHERE id = $2
             ON CONFLICT (name) DO UPDATE SET taken_at = now() WHERE l.worker_id = $2
             RETURNING 1`,
      values: [lane, workerId],
    });
    return rows.length > 0;
  }

  releaseLane(lane: string, workerId: string): Promise<void> {
    return this.left.submit({ lane, workerId });
  }

  abandonLane(lane: string, workerId: string): Promise<void> {
    return this.abandoned.submit({ lane, workerId });
  }

  returnLane(lane: string, workerId: string): Promise<void> {
    return this.returned.submit({ lane, workerId });
  }

  async claim(lane: string, workerId: string, limit: number): Promise<Claim | undefined> {
    if (this.unwritten.areWaiting) return { claimed: [], isBulkDue: false };
    type Row = ClaimedRecipient & { readonly isBulkDue: boolean | null } & Record<string, unknown>;
    const rows = await this.database.query<Row>(claimStatement(lane, workerId, limit, retryHorizonMs));
    if (rows.length === 0) return undefined;
    const claimed = rows.filter((row) => row.emailId !== null);
    return { claimed: await this.withSenders(claimed), isBulkDue: rows[0]?.isBulkDue === true };
  }

  async claimInTurns(lane: string, workerId: string, afterTeam = unknownId): Promise<TeamsTurn | undefined> {
    if (this.unwritten.areWaiting) return { claimed: [], lookedAt: afterTeam };
    return this.teamsTurn(claimInTurnsStatement(lane, workerId, afterTeam));
  }

  async claimBulk(
    lane: string,
    workerId: string,
    limit: number,
    afterTeam: string | undefined,
  ): Promise<TeamsTurn | undefined> {
    if (this.unwritten.areWaiting) return { claimed: [], lookedAt: undefined };
    return this.teamsTurn(claimBulkStatement({ lane, workerId, limit, afterTeam }, retryHorizonMs));
  }

  async isDue(lane: string): Promise<boolean> {
    const rows = await this.database.query(isDueStatement(lane));
    return rows.length > 0;
  }

  returnUntried(workerId: string, recipients: readonly ClaimedRecipient[]): Promise<void> {
    return this.untried.submit({ workerId, recipients });
  }

  async move(
    workerId: string,
    moves: readonly { readonly recipient: ClaimedRecipient; readonly to: string }[],
  ): Promise<void> {
    await this.database.execute(moveRecipientsStatement(workerId, moves));
  }

  async moveWaiting(lane: string, sender: MovedSender): Promise<void> {
    await this.database.execute(moveWaitingStatement(lane, sender));
  }

  pause(lane: string, reason: string): Promise<void> {
    return this.paused.submit({ lane, reason });
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

  async lanesWithWork(workerId: string, after: string | undefined, limit: number): Promise<LanesWithWork> {
    const rows = await this.database.query<{ name: string; teamId: string; hasWork: boolean; isLast: boolean }>(
      lanesWithWorkStatement(workerId, after, limit),
    );
    return { lanes: rows.filter(({ hasWork }) => hasWork), lookedAt: rows.find(({ isLast }) => isLast)?.name };
  }

  async settle(
    workerId: string,
    attempts: readonly FinishedAttempt[],
    transaction: Transaction,
  ): Promise<readonly FinishedAttempt[]> {
    const counted = await statementsOf(transaction).query<{ position: number }>(
      settleStatement(workerId, this.served.own, attempts),
    );
    return counted.map(({ position }) => attempts[position] as FinishedAttempt);
  }

  private async teamsTurn(statement: Statement): Promise<TeamsTurn | undefined> {
    type Row = ClaimedRecipient & { readonly lookedAt: string | null } & Record<string, unknown>;
    const rows = await this.database.query<Row>(statement);
    if (rows.length === 0) return undefined;
    const claimed = rows.filter((row) => row.emailId !== null);
    return { claimed: await this.withSenders(claimed), lookedAt: rows[0]?.lookedAt ?? undefined };
  }

  private grouped<Item>(statement: (items: readonly Item[]) => Statement): GroupCommit<Item, void> {
    return new GroupCommit<Item, void>(async (items) => {
      await this.database.execute(statement(items));
      return items.map(() => ({ value: undefined }));
    }, together);
  }

  /**
   * Uses two statements: deleting a lane waits for a claim in it whose reply was lost, and only the second statement
   * sees the claimed rows.
   */
  private groupedEnd(free: (lanes: readonly HeldLane[]) => Statement): GroupCommit<HeldLane, void> {
    return new GroupCommit<HeldLane, void>(async (lanes) => {
      await this.database.run(async (transaction) => {
        await transaction.execute(releaseLanesStatement(lanes));
        await transaction.execute(free(lanes));
      });
      return lanes.map(() => ({ value: undefined }));
    }, together);
  }

  /** Adds the team and domain to rows written by processes of the previous version, which lack them. */
  private async withSenders(claimed: readonly ClaimedRecipient[]): Promise<readonly ClaimedRecipient[]> {
    const unknown = claimed.filter(({ domainId }) => domainId === unknownId).map(({ emailId }) => emailId);
    if (unknown.length === 0) return claimed;
    const rows = await this.database.query<{ id: string; teamId: string; domainId: string }>({
      text: `SELECT id, team_id AS "teamId", domain_id AS "domainId" FROM published_emails
             WHERE id = ANY($1::uuid[])`,
      values: [unknown],
    });
    const senders = new Map(rows.map(({ id, ...sender }) => [id, sender]));
    return claimed.map((recipient) => ({ ...recipient, ...senders.get(recipient.emailId) }));
  }

  /**
   * Uses three statements. A worker may acquire a lane at the moment it is removed, so lanes are found by their missing
   * worker and not by name. Deleting a lane waits for a claim in it that is under way, and only a statement that begins
   * afterwards sees the claimed rows.
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
