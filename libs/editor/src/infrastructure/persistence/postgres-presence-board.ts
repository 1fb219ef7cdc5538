import { actorColumns } from '#identity';
import { claimed, Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { Arrival, PresenceBoard } from '../../application/ports/contents.port.js';
import { ContentRef, maxPresences, Presence } from '../../domain/content.js';

const columns = `client_id AS "clientId", name, kind, is_writing AS "isWriting", seen_at AS "seenAt",
  CASE WHEN anchor IS NOT NULL THEN jsonb_build_object('anchor', anchor, 'head', head) END AS cursor`;

@Injectable()
export class PostgresPresenceBoard extends PresenceBoard {
  constructor(private readonly database: Database) {
    super();
  }

  /** Tells live streams of people who come, and of carets that move: `tell_live_of_editor`. */
  async arrive(arrival: Arrival, forMs: number): Promise<readonly Presence[]> {
    const { teamId, ref, clientId, name, kind, actor, isWriting, cursor } = arrival;
    const { api_key_id, actor_kind, actor_id } = actorColumns(actor);
    await this.database.execute({
      text: `WITH others AS (
               SELECT client_id, seen_at, until FROM editor_presences
               WHERE team_id = $1 AND resource_id = $3 AND client_id <> $4
             ), gone AS (
               DELETE FROM editor_presences WHERE team_id = $1 AND resource_id = $3 AND ${claimed(
                 'client_id',
                 `FROM editor_presences WHERE team_id = $1 AND resource_id = $3 AND client_id IN (
                    SELECT client_id FROM others WHERE until < now()
                    UNION (SELECT client_id FROM others ORDER BY seen_at DESC OFFSET $14))`,
               )}
             )
             INSERT INTO editor_presences (team_id, resource_type, resource_id, client_id, name, kind, is_writing, api_key_id, actor_kind,
               actor_id, arrived_at, seen_at, until, anchor, head)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now(), now(), now() + $11 * interval '1 ms', $12, $13)
             ON CONFLICT (team_id, resource_id, client_id) DO UPDATE SET name = excluded.name, is_writing = excluded.is_writing,
               seen_at = excluded.seen_at, until = excluded.until, anchor = excluded.anchor, head = excluded.head`,
      values: [
        teamId,
        ref.type,
        ref.id,
        clientId,
        name,
        kind,
        isWriting,
        api_key_id ?? null,
        actor_kind ?? null,
        actor_id ?? null,
        forMs,
        cursor?.anchor ?? null,
        cursor?.head ?? null,
        maxPresences - 1,
      ],
    });
    return this.list(teamId, ref);
  }

  async leave(teamId: string, ref: ContentRef, clientId: string): Promise<void> {
    await this.database.execute({
      text: 'DELETE FROM editor_presences WHERE team_id = $1 AND resource_id = $2 AND (client_id = $3 OR until < now())',
      values: [teamId, ref.id, clientId],
    });
  }

  list(teamId: string, ref: ContentRef): Promise<readonly Presence[]> {
    return this.database.query<Row<Presence>>({
      text: `SELECT ${columns} FROM editor_presences WHERE team_id = $1 AND resource_id = $2 AND until >= now()
             ORDER BY arrived_at, client_id`,
      values: [teamId, ref.id],
    });
  }
}
