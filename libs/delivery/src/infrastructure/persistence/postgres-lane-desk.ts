import { actorColumns, actorOf } from '#identity';
import type { Actor } from '#identity';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { LaneDesk } from '../../application/ports/lanes.port.js';
import type { LaneReport } from '../../domain/lane-limits.js';
import { CountUpTo, LaneOverview, maxLanesShown, QueueOverview, WorkerOverview } from '../../domain/lane-overview.js';

/** Lanes that are compared, and recipients of each that are counted for it. */
const maxCompared = 1_000;
const maxRough = 100;
/** Recipients of a lane that is shown, and of the whole queue, that are counted. */
const maxCounted = 10_000;
const maxQueue = 50_000;

interface LaneRow extends Record<string, unknown> {
  readonly lane: string;
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly workerId: string | null;
  readonly report: LaneReport | null;
  readonly pauseSince: Date | null;
  readonly pauseUntil: Date | null;
  readonly pauseReason: string | null;
  readonly heldSince: Date | null;
  readonly note: string | null;
  readonly actor_kind: string | null;
  readonly actor_id: string | null;
  readonly compared: number;
}

@Injectable()
export class PostgresLaneDesk extends LaneDesk {
  constructor(private readonly database: Database) {
    super();
  }

  async overview(): Promise<Omit<QueueOverview, 'regions'>> {
    const [lanes, [queue], workers] = await Promise.all([this.lanes(), this.queue(), this.workers()]);
    return {
      waiting: upTo(queue?.waiting ?? 0, maxQueue),
      lanes: upTo(lanes[0]?.compared ?? 0, maxCompared),
      oldestAt: queue?.oldestAt ?? undefined,
      longest: lanes.map(overviewOf),
      workers,
    };
  }

  async hold(lane: string, actor: Actor, note: string | undefined): Promise<boolean> {
    const { api_key_id: keyId, actor_kind: kind, actor_id: actorId } = actorColumns(actor);
    const held = await this.database.execute({
      text: `INSERT INTO lane_holds (lane, since, note, actor_kind, actor_id) VALUES ($1, now(), $2, $3, $4)
             ON CONFLICT DO NOTHING`,
      values: [lane, note ?? null, kind ?? 'api_key', actorId ?? keyId ?? null],
    });
    return held > 0;
  }

  async release(lane: string): Promise<boolean> {
    return (await this.database.execute({ text: 'DELETE FROM lane_holds WHERE lane = $1', values: [lane] })) > 0;
  }

  async teamIn(lane: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ teamId: string }>({
      text: `SELECT team_id AS "teamId" FROM outbound_queue WHERE lane = $1 ORDER BY due_at LIMIT 1`,
      values: [lane],
    });
    return row?.teamId;
  }

  /** Walks from lane to lane along the index, as the search for work does. */
  private lanes(): Promise<LaneRow[]> {
    return this.database.query<LaneRow>({
      name: 'lanes-overview',
      text: `
        WITH RECURSIVE waiting AS (
          (SELECT lane, 1 AS no FROM outbound_queue ORDER BY lane, due_at LIMIT 1)
          UNION ALL
          SELECT next.lane, waiting.no + 1 FROM waiting, LATERAL (
            SELECT lane FROM outbound_queue WHERE lane > waiting.lane ORDER BY lane, due_at LIMIT 1
          ) next
          WHERE waiting.no <= ${maxCompared}
        ), rough AS MATERIALIZED (
          SELECT w.lane, (SELECT count(*) FROM (
                   SELECT 1 FROM outbound_queue q WHERE q.lane = w.lane LIMIT ${maxRough}) x) AS n
          FROM waiting w
        ), longest AS (
          SELECT lane FROM rough ORDER BY n DESC, lane LIMIT ${maxLanesShown}
        ), shown AS (
          SELECT lane FROM longest UNION (SELECT lane FROM lane_holds ORDER BY since DESC LIMIT ${maxLanesShown})
        )
        SELECT s.lane, l.worker_id AS "workerId", l.report, p.since AS "pauseSince", p.until AS "pauseUntil",
               p.reason AS "pauseReason", h.since AS "heldSince", h.note, h.actor_kind, h.actor_id,
               (SELECT count(*) FROM rough)::int AS compared,
               (SELECT count(*) FROM (
                  SELECT 1 FROM outbound_queue q WHERE q.lane = s.lane LIMIT ${maxCounted + 1}) x)::int AS waiting,
               (SELECT queued_at FROM outbound_queue q WHERE q.lane = s.lane ORDER BY due_at LIMIT 1) AS "oldestAt"
        FROM shown s
        LEFT JOIN lanes l ON l.name = s.lane
        LEFT JOIN lane_pauses p ON p.lane = s.lane
        LEFT JOIN lane_holds h ON h.lane = s.lane
        ORDER BY waiting DESC, s.lane`,
    });
  }

  /** Ids ascend with time, so the mail accepted first has the lowest. */
  private queue(): Promise<{ waiting: number; oldestAt: Date | null }[]> {
    return this.database.query({
      name: 'queue-overview',
      text: `SELECT (SELECT count(*) FROM (SELECT 1 FROM outbound_queue LIMIT ${maxQueue + 1}) x)::int AS waiting,
                    (SELECT queued_at FROM outbound_queue ORDER BY email_id, recipient_no LIMIT 1) AS "oldestAt"`,
    });
  }

  private async workers(): Promise<WorkerOverview[]> {
    const rows = await this.database.query<{
      id: string;
      startedAt: Date;
      heartbeatAt: Date;
      region: string | null;
      about: Partial<WorkerOverview> | null;
    }>({
      name: 'workers-overview',
      text: `SELECT id, started_at AS "startedAt", heartbeat_at AS "heartbeatAt", region, about FROM workers
             ORDER BY started_at LIMIT 200`,
    });
    return rows.map(({ id, startedAt, heartbeatAt, region, about }) => ({
      id,
      startedAt,
      heartbeatAt,
      region: region ?? undefined,
      host: about?.host,
      pid: about?.pid,
      lanes: about?.lanes ?? 0,
      held: about?.held ?? 0,
      cpu: about?.cpu ?? 0,
      memory: about?.memory ?? 0,
    }));
  }
}

function upTo(count: number, most: number): CountUpTo {
  return { count: Math.min(count, most), isMore: count > most };
}

function overviewOf(row: LaneRow): LaneOverview {
  const { pauseSince: since, pauseUntil: until, pauseReason: reason, heldSince } = row;
  return {
    lane: row.lane,
    waiting: upTo(row.waiting, maxCounted),
    oldestAt: row.oldestAt ?? undefined,
    workerId: row.workerId ?? undefined,
    report: row.report ?? undefined,
    pause: since === null || until === null ? undefined : { since, until, reason: reason ?? '' },
    hold: heldSince === null ? undefined : { since: heldSince, note: row.note ?? undefined, actor: actorOf(row) },
  };
}
