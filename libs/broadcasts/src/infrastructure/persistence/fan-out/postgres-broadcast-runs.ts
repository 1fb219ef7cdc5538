import { segmentMembers } from '#audience';
import { Transaction } from '#kernel';
import { Database, DatabaseTransaction, lockRows, longLimits, Row, Statement, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  AcceptedWork,
  BroadcastRuns,
  BroadcastWork,
  Slice,
  SliceResult,
  Undecided,
  Winner,
} from '../../../application/ports/broadcast-runs.port.js';
import { PauseReason } from '../../../domain/fan-out/reasons.js';
import { emailsNow, Pace, paceHorizon, paceOf } from '../../../domain/fan-out/throttle.js';
import { AudiencePlan, partsOfWave } from '../../../domain/fan-out/waves.js';
import { planStatement } from './plan-statement.js';
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
/** Broadcasts that a worker tries in a turn, because others may have taken the first ones. */
const maxTried = 8;
/** Rows that are tidied in one batch, so that its locks last only for milliseconds. */
const tidiedAtOnce = 5_000;

@Injectable()
export class PostgresBroadcastRuns extends BroadcastRuns {
  private knownZones: Promise<readonly string[]> | undefined;

  constructor(private readonly database: Database) {
    super();
  }

  next(now: Date): Promise<readonly BroadcastWork[]> {
    return this.database.query<Row<BroadcastWork>>(nextStatement(now));
  }

  waitingShares(now: Date, after: string | undefined, limit: number): Promise<readonly BroadcastWork[]> {
    return this.database.query<Row<BroadcastWork>>({
      text: `SELECT 'decide' AS kind, b.id AS "broadcastId", b.team_id AS "teamId", b.options -> 'firstShare' AS "firstShare"
             FROM broadcasts b JOIN broadcast_runs r ON r.broadcast_id = b.id
             WHERE b.status = 'queued' AND b.options -> 'firstShare' IS NOT NULL AND r.decide_at > $1
               AND ($2::uuid IS NULL OR b.id > $2)
             ORDER BY b.id LIMIT $3`,
      values: [now, after ?? null, limit],
    });
  }

  async fixAudience(
    { broadcastId, teamId }: BroadcastWork,
    segmentId: string,
    plan: AudiencePlan,
    now: Date,
  ): Promise<number | 'taken' | 'no segment'> {
    // In a transaction of its own: others would wait for the row, which is locked for as long as the audience is written.
    await this.database.execute({
      text: 'INSERT INTO broadcast_runs (broadcast_id, team_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [broadcastId, teamId],
    });
    return this.database.run(async (statements) => {
      // A row lock would draw a transaction id, for which all consumers of events wait while the audience is read.
      const [lock] = await statements.query<{ held: boolean }>({
        text: `SELECT pg_try_advisory_xact_lock(hashtextextended('audience ' || $1, 0)) AS held`,
        values: [broadcastId],
      });
      if (lock?.held !== true) return 'taken';
      const unplanned = await statements.query({
        text: `SELECT FROM broadcast_runs r JOIN broadcasts b ON b.id = r.broadcast_id
               WHERE r.broadcast_id = $1 AND r.planned_at IS NULL AND b.status = 'queued'`,
        values: [broadcastId],
      });
      if (unplanned.length === 0) return 'taken';
      const property = plan.kind === 'zones' ? plan.property : undefined;
      const members = await segmentMembers({ teamId, segmentId, property }, now, statements);
      if (members === undefined) return 'no segment';
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
    }, longLimits);
  }

  /**
   * PostgreSQL knows the earlier names too, which Node does not list. They are read once, because that takes a tenth of
   * a second.
   */
  timeZones(): Promise<readonly string[]> {
    this.knownZones ??= this.readTimeZones();
    this.knownZones.catch(() => (this.knownZones = undefined));
    return this.knownZones;
  }

  private async readTimeZones(): Promise<readonly string[]> {
    const rows = await this.database.query<{ name: string }>({
      text: `SELECT name FROM pg_timezone_names WHERE name !~ '^(posix|right)/' ORDER BY name`,
    });
    return rows.map(({ name }) => name);
  }

  /**
   * The state is read after the claim and is not locked: slices follow each other so closely that a request to pause
   * the broadcast would wait for a gap between their locks.
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
                    EXISTS (SELECT FROM published_reputation_guards g
                            WHERE g.domain_id = (SELECT domain_id FROM broadcasts WHERE id = $1)
                              AND g.step NOT IN ('none', 'warned')) AS "isGuarded",
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

  /** Reads the results of the first wave, which is a share of the audience. */
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

  async release(broadcastId: string, winner: Winner | undefined, now: Date): Promise<void> {
    await this.database.run(async (transaction) => {
      const decided = await transaction.execute({
        text: `UPDATE broadcast_runs SET winner = $2, scores = $3, decide_at = coalesce(decide_at, $4), decided_at = $4
               WHERE broadcast_id = $1 AND winner IS NULL
                 AND EXISTS (SELECT FROM broadcasts WHERE id = $1 AND status = 'queued')`,
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
        text: `INSERT INTO broadcast_runs AS r (broadcast_id, team_id, retry_at, paused_for)
               SELECT id, team_id, $2::timestamptz, ARRAY[$3::text] FROM broadcasts WHERE id = $1
               ON CONFLICT (broadcast_id) DO UPDATE SET
                 retry_at = EXCLUDED.retry_at, troubles = 0,
                 decide_at = CASE WHEN $3 = 'first_share_sent' THEN coalesce(r.decide_at, $4) ELSE r.decide_at END,
                 paused_for = CASE WHEN $3 = ANY (r.paused_for) THEN r.paused_for ELSE array_append(r.paused_for, $3) END`,
        values: [broadcastId, retryAt, reason, now],
      });
    });
  }

  /**
   * A user who pauses a broadcast removes the reason, so that it does not resume itself. Broadcasts are locked before
   * their runs, as everywhere.
   */
  resumeHeld(now: Date): Promise<number> {
    return this.database.execute({
      text: `WITH held AS (
               ${lockRows(
                 'r.broadcast_id',
                 `FROM broadcast_runs r JOIN broadcasts b ON b.id = r.broadcast_id
                  WHERE r.retry_at <= $1 ORDER BY r.retry_at LIMIT 100`,
                 'b',
               )}
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
    return this.database.run(async (transaction) => {
      const [run] = await transaction.query<{ id: string }>({
        text: lockRows(
          'r.broadcast_id AS id',
          `FROM broadcast_runs r JOIN broadcasts b ON b.id = r.broadcast_id
           WHERE r.planned_at IS NOT NULL AND r.tidied_at IS NULL AND b.status IN ('sent', 'canceled')
           ORDER BY r.broadcast_id LIMIT 1`,
          'r',
        ),
      });
      if (run === undefined) return false;
      const removed = await transaction.execute({
        text: `DELETE FROM broadcast_audience WHERE broadcast_id = $1 AND (wave, part, contact_id) IN (
                 SELECT wave, part, contact_id FROM broadcast_audience WHERE broadcast_id = $1 LIMIT ${tidiedAtOnce})`,
        values: [run.id],
      });
      if (removed === tidiedAtOnce) return true;
      await transaction.execute({
        text: 'UPDATE broadcast_runs SET tidied_at = now() WHERE broadcast_id = $1',
        values: [run.id],
      });
      return true;
    });
  }
}

/** Reads all broadcasts that are being sent: they are few, and each has only some waves. */
function nextStatement(now: Date): Statement {
  return {
    name: 'next-broadcasts',
    text: `SELECT kind, "broadcastId", "teamId", "perHour", "firstShare" FROM (
               SELECT b.id AS "broadcastId", b.team_id AS "teamId", b.queued_at,
                      (b.options ->> 'throttlePerHour')::int AS "perHour",
                      CASE WHEN w.waiting THEN b.options -> 'firstShare' END AS "firstShare",
                      CASE WHEN r.planned_at IS NOT NULL AND w.open IS NULL THEN 'finish'
                           WHEN b.api_key_id IS NOT NULL
                             AND NOT EXISTS (SELECT FROM published_api_keys k WHERE k.id = b.api_key_id) THEN 'withdraw'
                           WHEN r.planned_at IS NULL THEN 'plan'
                           WHEN w.due THEN CASE WHEN r.paced_until >= $2 THEN NULL ELSE 'slice' END
                           WHEN w.waiting AND NOT w.later AND (r.decide_at IS NULL OR r.decide_at <= $1) THEN 'decide'
                      END AS kind,
                      w.turn_at, max(w.turn_at) OVER (PARTITION BY b.team_id) AS turn_of_team
               FROM broadcasts b LEFT JOIN broadcast_runs r ON r.broadcast_id = b.id
               LEFT JOIN LATERAL (
                 SELECT bool_or(release_at <= $1) FILTER (WHERE ended_at IS NULL) AS due,
                        bool_or(true) FILTER (WHERE ended_at IS NULL) AS open,
                        bool_or(release_at IS NULL) FILTER (WHERE ended_at IS NULL) AS waiting,
                        coalesce(bool_or(release_at > $1) FILTER (WHERE ended_at IS NULL), false) AS later,
                        max(turn_at) AS turn_at
                 FROM broadcast_waves WHERE broadcast_id = b.id
               ) w ON true
               WHERE b.status = 'queued' AND (r.retry_at IS NULL OR r.retry_at <= $1)
             ) work
             WHERE kind IS NOT NULL
             ORDER BY turn_of_team NULLS FIRST, turn_at NULLS FIRST, queued_at, "broadcastId" LIMIT ${maxTried}`,
    values: [now, paceHorizon(now)],
  };
}

/**
 * The pace of a throttled broadcast. Its run is locked until the transaction ends, so that its slices are made one
 * after the other. While another worker makes one, nothing may go.
 */
async function pacedBy(
  perHour: number,
  broadcastId: string,
  now: Date,
  statements: DatabaseTransaction,
): Promise<Pace> {
  const [run] = await statements.query<{ pacedUntil: Date | null }>({
    name: 'hold-throttled-run',
    text: lockRows('paced_until AS "pacedUntil"', 'FROM broadcast_runs WHERE broadcast_id = $1'),
    values: [broadcastId],
  });
  return run === undefined ? { perHour, from: new Date(8.64e15) } : paceOf(perHour, run.pacedUntil, now);
}
