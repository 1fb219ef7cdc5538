import type { Principal } from '#identity';
import { isDatabaseTrouble } from '#kernel';
import { Database } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { LiveChange, LiveChanges, LiveReading } from '../../application/ports/live-changes.port.js';
import type { LivePosition } from '../../domain/live-event.js';

/** Changes that one reading returns. */
const maxChanges = 2_000;
/** Longer than positions are resumed from. */
const keptSeconds = 60;

interface ReadingRow extends Record<string, unknown> {
  readonly snapshot: string;
  readonly at: number;
  readonly watches: readonly (readonly [teamId: string, since: number, isOwn: boolean])[] | null;
  readonly changes: readonly (readonly [xid: string, teamId: string, topic: string, names: string[] | null])[] | null;
}

/** Works behind PgBouncer in transaction mode: nothing depends on a session. */
@Injectable()
export class PostgresLiveChanges extends LiveChanges {
  constructor(private readonly database: Database) {
    super();
  }

  async watch(sourceId: string, teamIds: readonly string[], forMs: number): Promise<void> {
    await this.database.execute({
      name: 'watch-live-changes',
      text: `INSERT INTO live_watches (team_id, source_id, until)
             SELECT team_id, $1, now() + $3 * interval '1 millisecond' FROM unnest($2::uuid[]) AS t (team_id)
             ORDER BY team_id
             ON CONFLICT (team_id, source_id) DO UPDATE SET until = excluded.until`,
      values: [sourceId, teamIds, forMs],
    });
  }

  async read(sourceId: string, teamIds: readonly string[], from: LivePosition | undefined): Promise<LiveReading> {
    const [row] = await this.database.query<ReadingRow>({
      name: 'read-live-changes',
      text: `SELECT pg_current_snapshot()::text AS snapshot,
                    floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
                    (SELECT json_agg(json_build_array(w.team_id, w.since, w.is_own)) FROM (
                       SELECT team_id, bool_or(source_id = $1) AS is_own,
                              ceil(extract(epoch FROM min(since)) * 1000)::float8 AS since
                       FROM live_watches WHERE team_id = ANY ($2::uuid[]) AND until > now() GROUP BY team_id
                     ) w) AS watches,
                    (SELECT json_agg(json_build_array(c.xid::text, c.team_id, c.topic, c.names)) FROM (
                       SELECT xid, team_id, topic, names FROM live_changes
                       WHERE xid >= pg_snapshot_xmin($3::pg_snapshot) AND team_id = ANY ($2::uuid[])
                         AND NOT pg_visible_in_snapshot(xid, $3::pg_snapshot)
                       ORDER BY xid LIMIT ${maxChanges + 1}
                     ) c) AS changes`,
      values: [sourceId, teamIds, from?.snapshot ?? null],
    });
    if (row === undefined) throw new Error('The reading of live changes returned nothing');
    const changes = (row.changes ?? []).map(([xid, teamId, topic, names]): LiveChange => ({
      xid: BigInt(xid),
      teamId,
      topic,
      names: names ?? undefined,
    }));
    return {
      position: { at: row.at, snapshot: row.snapshot },
      watches: new Map((row.watches ?? []).map(([teamId, since, isOwn]) => [teamId, { since, isOwn }])),
      changes: changes.slice(0, maxChanges),
      isCut: changes.length > maxChanges,
    };
  }

  /** One statement for all streams. Every role may read emails, so a change of role closes no stream. */
  async mayStillWatch(openers: readonly Principal[]): Promise<readonly boolean[]> {
    try {
      const rows = await this.database.query<{ n: number }>({
        name: 'present-stream-openers',
        text: `SELECT o.n FROM unnest($1::int[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[])
                 AS o (n, team_id, key_id, user_id, grant_id, session_id)
               WHERE (key_id IS NULL OR EXISTS (SELECT FROM published_api_keys k WHERE k.id = o.key_id))
                 AND (user_id IS NULL OR EXISTS (
                   SELECT FROM published_team_members m WHERE m.team_id = o.team_id AND m.user_id = o.user_id))
                 AND (grant_id IS NULL OR EXISTS (SELECT FROM published_oauth_grants g WHERE g.id = o.grant_id))
                 AND (session_id IS NULL OR EXISTS (SELECT FROM published_sessions s WHERE s.id = o.session_id))`,
        values: [
          openers.map((_, n) => n),
          openers.map(({ teamId }) => teamId),
          openers.map(({ actor }) => (actor.kind === 'api_key' ? actor.id : null)),
          openers.map(({ actor }) => (actor.kind === 'user' ? actor.id : null)),
          openers.map(({ tool }) => tool?.grantId ?? null),
          openers.map(({ sessionId }) => sessionId),
        ],
      });
      const present = new Set(rows.map(({ n }) => n));
      return openers.map((_, n) => present.has(n));
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error;
      return openers.map(() => true);
    }
  }

  async prune(): Promise<void> {
    await this.database.execute({
      name: 'prune-live-changes',
      text: `DELETE FROM live_changes WHERE at < now() - interval '${keptSeconds} seconds'`,
    });
    await this.database.execute({
      name: 'prune-live-watches',
      text: `DELETE FROM live_watches WHERE until < now() - interval '${keptSeconds} seconds'`,
    });
  }
}
