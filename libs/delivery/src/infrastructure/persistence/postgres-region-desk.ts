import type { MovedDomain } from '#domains';
import { Database, Statement } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { MovedMail, RegionDesk } from '../../application/ports/lanes.port.js';
import { maxLaneLength } from '../../domain/lane-name.js';
import { RegionPresence } from '../../domain/stand-ins.js';

/** Recipients of one domain in one lane, and of all in all lanes, that one statement moves. */
const [maxOfLane, maxMoved] = [1_000, 5_000];
const isAlive = `heartbeat_at > now() - interval '10 seconds'`;

@Injectable()
export class PostgresRegionDesk extends RegionDesk {
  constructor(private readonly database: Database) {
    super();
  }

  async presences(): Promise<{ readonly presences: readonly RegionPresence[]; readonly areServed: boolean }> {
    const [presences, [all]] = await Promise.all([
      this.database.query<RegionPresence & Record<string, unknown>>({
        name: 'region-presences',
        text: `SELECT name, extract(epoch FROM now() - seen_at)::float8 * 1000 AS "silentMs",
                      extract(epoch FROM seen_at - alive_since)::float8 * 1000 AS "steadyMs",
                      (SELECT count(*) FROM workers WHERE region = name AND ${isAlive})::int AS workers
               FROM regions ORDER BY name LIMIT 1000`,
      }),
      this.database.query<{ areServed: boolean }>({
        name: 'workers-of-all-regions',
        text: `SELECT EXISTS (SELECT FROM workers WHERE region IS NULL AND ${isAlive}) AS "areServed"`,
      }),
    ]);
    return { presences, areServed: all?.areServed === true };
  }

  async moveWaiting(domains: readonly MovedDomain[], after: string, lanes: number): Promise<MovedMail> {
    type Row = Omit<MovedMail, 'lookedAt'> & { readonly lookedAt: string | null } & Record<string, unknown>;
    const [row] = await this.database.query<Row>(moveWaitingToRegionStatement(domains, after, lanes));
    return {
      found: row?.found ?? [],
      isCut: row?.isCut === true,
      moved: row?.moved ?? 0,
      lookedAt: row?.lookedAt ?? undefined,
    };
  }
}

const ofDomain = (isBulk: string): string => `
  (SELECT email_id, recipient_no, worker_id FROM outbound_queue
   WHERE lane = l.lane AND team_id = d.team_id AND is_bulk ${isBulk} AND domain_id = d.id LIMIT ${maxOfLane})`;

/** Walks from lane to lane, and finds the recipients along the indexes by which teams take turns. */
export function moveWaitingToRegionStatement(domains: readonly MovedDomain[], after: string, lanes: number): Statement {
  return {
    name: 'move-waiting-to-region',
    text: `
      WITH RECURSIVE lanes AS (
        (SELECT lane, 1 AS no FROM outbound_queue WHERE lane > $1 ORDER BY lane LIMIT 1)
        UNION ALL
        SELECT next.lane, lanes.no + 1 FROM lanes, LATERAL (
          SELECT lane FROM outbound_queue WHERE lane > lanes.lane ORDER BY lane LIMIT 1
        ) next
        WHERE lanes.no < $2
      ), found AS (
        SELECT q.email_id, q.recipient_no, q.worker_id, l.lane, d.id, d.region
        FROM lanes l
        CROSS JOIN unnest($3::uuid[], $4::uuid[], $5::text[]) AS d (id, team_id, region)
        CROSS JOIN LATERAL (${ofDomain('IS NULL')} UNION ALL ${ofDomain('')}) q
        WHERE l.lane LIKE '%/%/%' AND split_part(l.lane, '/', 1) <> d.region
        LIMIT ${maxMoved}
      ), waiting AS (
        SELECT q.email_id, q.recipient_no, f.region || substr(f.lane, strpos(f.lane, '/')) AS lane
        FROM found f JOIN outbound_queue q USING (email_id, recipient_no)
        WHERE f.worker_id IS NULL AND q.worker_id IS NULL AND q.lane = f.lane
        FOR UPDATE OF q SKIP LOCKED
      ), moved AS (
        UPDATE outbound_queue q SET lane = left(w.lane, ${maxLaneLength}) FROM waiting w
        WHERE q.email_id = w.email_id AND q.recipient_no = w.recipient_no
        RETURNING 1
      )
      SELECT ARRAY(SELECT DISTINCT id::text FROM found) AS found, (SELECT count(*) FROM found) = ${maxMoved} AS "isCut",
             (SELECT count(*)::int FROM moved) AS moved,
             (SELECT lane FROM lanes WHERE no = $2) AS "lookedAt"`,
    values: [
      after,
      lanes,
      domains.map(({ id }) => id),
      domains.map(({ teamId }) => teamId),
      domains.map(({ sendingRegion }) => sendingRegion),
    ],
  };
}
