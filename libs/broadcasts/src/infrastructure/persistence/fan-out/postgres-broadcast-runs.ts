import { MembersQuery } from '#audience';
import { Transaction } from '#kernel';
import { Database, Row, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import {
  AcceptedWork,
  BroadcastRuns,
  BroadcastWork,
  Slice,
  SliceResult,
  Undecided,
} from '../../../application/ports/broadcast-runs.port.js';
import { PauseReason } from '../../../domain/fan-out/skip-reasons.js';
import { emailsNow } from '../../../domain/fan-out/throttle.js';
import { AudiencePlan, partsOfWave } from '../../../domain/fan-out/waves.js';
import { nextStatement } from './next-statement.js';
import { pacedBy } from './paced-by.js';
import { planParameters, planStatement } from './plan-statement.js';
import { tidyAudience } from './tidy-audience.js';
import {
  ClaimedPart,
  claimStatement,
  countersStatement,
  paceStatement,
  positionStatement,
  progressStatement,
  recoveryStatement,
  resultsStatement,
  subjectsStatement,
} from './slice-statements.js';

/** How long a broadcast rests after an unexpected error. */
const restSeconds = 5;

@Injectable()
export class PostgresBroadcastRuns extends BroadcastRuns {
  readonly firstMembersParameter = planParameters + 1;

  constructor(private readonly database: Database) {
    super();
  }

  next(now: Date): Promise<readonly BroadcastWork[]> {
    return this.database.query<Row<BroadcastWork>>(nextStatement(now));
  }

  /** In a transaction of its own: others would wait for the row, which is locked for as long as the audience is written. */
  async register({ broadcastId, teamId }: BroadcastWork): Promise<void> {
    await this.database.execute({
      text: 'INSERT INTO broadcast_runs (broadcast_id, team_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [broadcastId, teamId],
    });
  }

  async begin({ broadcastId }: BroadcastWork, transaction: Transaction): Promise<boolean> {
    const rows = await statementsOf(transaction).query({
      text: `SELECT FROM broadcast_runs r JOIN broadcasts b ON b.id = r.broadcast_id
             WHERE r.broadcast_id = $1 AND r.planned_at IS NULL AND b.status = 'queued' FOR UPDATE OF r SKIP LOCKED`,
      values: [broadcastId],
    });
    return rows.length > 0;
  }

  async plan(
    { broadcastId, teamId }: BroadcastWork,
    members: MembersQuery,
    plan: AudiencePlan,
    now: Date,
    transaction: Transaction,
  ): Promise<number> {
    const statements = statementsOf(transaction);
    const [row] = await statements.query<{ planned: number }>(planStatement(broadcastId, members, plan, now));
    const planned = row?.planned ?? 0;
    await Promise.all([
      statements.execute({
        text: 'UPDATE broadcast_runs SET planned_at = $2, troubles = 0, retry_at = NULL WHERE broadcast_id = $1',
        values: [broadcastId, now],
      }),
      statements.execute({
        text: `INSERT INTO broadcast_progress AS p (broadcast_id, team_id, planned, updated_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (broadcast_id) DO UPDATE SET planned = EXCLUDED.planned, updated_at = EXCLUDED.updated_at`,
        values: [broadcastId, teamId, planned, now],
      }),
    ]);
    return planned;
  }

  /**
   * The state is read after the claim and is not locked: slices follow each other so closely that whoever wants to pause the
   * broadcast would wait for a gap between their locks.
   */
  async claim(
    { broadcastId, perHour }: BroadcastWork,
    limit: number,
    now: Date,
    transaction: Transaction,
  ): Promise<Slice | undefined> {
    const statements = statementsOf(transaction);
    const pace = perHour == null ? undefined : await pacedBy(perHour, broadcastId, now, statements);
    const most = pace === undefined ? limit : Math.min(limit, emailsNow(pace, now));
    if (most === 0) return undefined;
    const [[claimed], states] = await Promise.all([
      statements.query<Row<ClaimedPart>>(claimStatement(broadcastId, most, now)),
      statements.query({
        name: 'is-broadcast-running',
        text: `SELECT FROM broadcasts WHERE id = $1 AND status = 'queued'`,
        values: [broadcastId],
      }),
    ]);
    if (states.length === 0 || claimed === undefined) return undefined;
    const { wave, part, ids, variants } = claimed;
    return { broadcastId, wave, part, contactIds: ids, variants, isLast: ids.length < most, pace };
  }

  async record(
    work: AcceptedWork,
    slice: Slice,
    results: readonly SliceResult[],
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    const statements = statementsOf(transaction);
    await Promise.all([
      statements.execute(resultsStatement(work, work.hasTest ? slice : undefined, results, now)),
      statements.execute(recoveryStatement(work.broadcastId)),
      statements.execute(positionStatement(slice, now)),
      statements.execute(countersStatement(work, results, now)),
      slice.pace && statements.execute(paceStatement(work.broadcastId, slice.pace, results)),
      statements.execute(progressStatement(work.broadcastId, results, now)),
      work.hasTest && statements.execute(subjectsStatement(slice, results)),
    ]);
  }

  async undecided(broadcastId: string): Promise<Undecided | undefined> {
    const [row] = await this.database.query<Row<Undecided>>({
      text: `SELECT r.decide_at AS "decideAt", p.accepted::int, p.delivered::int, p.bounced::int, p.complained::int,
                    r.paused_for AS "pausedFor",
                    NOT EXISTS (SELECT FROM broadcast_waves w
                                WHERE w.broadcast_id = $1 AND w.ended_at IS NULL AND w.release_at IS NOT NULL) AS "isReady"
             FROM broadcast_runs r JOIN broadcast_progress p ON p.broadcast_id = r.broadcast_id
             WHERE r.broadcast_id = $1 AND EXISTS (
               SELECT FROM broadcast_waves w WHERE w.broadcast_id = $1 AND w.ended_at IS NULL AND w.release_at IS NULL)`,
      values: [broadcastId],
    });
    return row;
  }

  async decideAt(broadcastId: string, at: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE broadcast_runs SET decide_at = $2 WHERE broadcast_id = $1 AND decide_at IS NULL',
      values: [broadcastId, at],
    });
  }

  /** Reads what the first wave did, which is a share of the audience. */
  async scores(broadcastId: string, kind: 'opened' | 'clicked', variants: number): Promise<readonly number[]> {
    const rows = await this.database.query<{ variant: number; score: number }>({
      text: `SELECT a.variant, count(*)::int AS score
             FROM broadcast_results r
             JOIN broadcast_audience a ON a.broadcast_id = r.broadcast_id AND a.contact_id = r.contact_id AND a.wave = 0
               AND a.part = get_byte(uuid_send(r.contact_id), 15) % ${partsOfWave}
             WHERE r.broadcast_id = $1 AND r.kind = $2 GROUP BY a.variant`,
      values: [broadcastId, kind],
    });
    return Array.from({ length: variants }, (_, no) => rows.find(({ variant }) => variant === no)?.score ?? 0);
  }

  async release(
    broadcastId: string,
    winner: { readonly variant: number; readonly scores: readonly number[] } | undefined,
    now: Date,
  ): Promise<void> {
    await this.database.run(async (transaction) => {
      const decided = await transaction.execute({
        text: `UPDATE broadcast_runs SET winner = $2, scores = $3, decide_at = coalesce(decide_at, $4), decided_at = $4
               WHERE broadcast_id = $1 AND winner IS NULL`,
        values: [broadcastId, winner?.variant ?? null, winner?.scores ?? null, now],
      });
      if (decided === 0) return;
      await transaction.execute({
        text: 'UPDATE broadcast_waves SET release_at = $2 WHERE broadcast_id = $1 AND release_at IS NULL',
        values: [broadcastId, now],
      });
    });
  }

  async finish(broadcastId: string, now: Date): Promise<boolean> {
    const ended = await this.database.execute({
      text: `UPDATE broadcasts SET status = 'sent', sent_at = $2, updated_at = $2
             WHERE id = $1 AND status = 'queued'
               AND EXISTS (SELECT FROM broadcast_runs WHERE broadcast_id = $1 AND planned_at IS NOT NULL)
               AND NOT EXISTS (SELECT FROM broadcast_waves WHERE broadcast_id = $1 AND ended_at IS NULL)`,
      values: [broadcastId, now],
    });
    return ended > 0;
  }

  async pause(broadcastId: string, reason: PauseReason, retryAt: Date | null, now: Date): Promise<void> {
    await this.database.run(async (transaction) => {
      const paused = await transaction.execute({
        text: `UPDATE broadcasts SET status = 'paused', paused_because = $2, updated_at = $3 WHERE id = $1 AND status = 'queued'`,
        values: [broadcastId, reason, now],
      });
      if (paused === 0) return;
      await transaction.execute({
        text: `UPDATE broadcast_runs SET retry_at = $2, troubles = 0,
                 paused_for = CASE WHEN $3 = ANY (paused_for) THEN paused_for ELSE array_append(paused_for, $3) END
               WHERE broadcast_id = $1`,
        values: [broadcastId, retryAt, reason],
      });
    });
  }

  /** Somebody who pauses a broadcast removes its reason, and then it does not resume itself. */
  resumeHeld(now: Date): Promise<number> {
    return this.database.execute({
      text: `WITH held AS (
               SELECT broadcast_id FROM broadcast_runs WHERE retry_at <= $1 ORDER BY retry_at LIMIT 100 FOR UPDATE SKIP LOCKED
             ), tried AS (
               UPDATE broadcast_runs r SET retry_at = NULL FROM held WHERE r.broadcast_id = held.broadcast_id
             )
             UPDATE broadcasts b SET status = 'queued', paused_because = NULL, updated_at = $1
             FROM held WHERE b.id = held.broadcast_id AND b.status = 'paused' AND b.paused_because IS NOT NULL`,
      values: [now],
    });
  }

  async trouble(broadcastId: string, now: Date): Promise<number> {
    const [row] = await this.database.query<{ troubles: number }>({
      text: `INSERT INTO broadcast_runs AS r (broadcast_id, team_id, troubles, retry_at)
             SELECT id, team_id, 1, $2::timestamptz + interval '${restSeconds} seconds' FROM broadcasts WHERE id = $1
             ON CONFLICT (broadcast_id) DO UPDATE SET troubles = r.troubles + 1, retry_at = EXCLUDED.retry_at
             RETURNING troubles`,
      values: [broadcastId, now],
    });
    return row?.troubles ?? 0;
  }

  tidy(): Promise<boolean> {
    return this.database.run(tidyAudience);
  }
}
