import { actorColumns } from '#identity';
import { Database, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { Arrival, PresenceBoard } from '../../application/ports/presence-board.port.js';
import { ContentRef } from '../../domain/content-ref.js';
import { maxPresences, Presence } from '../../domain/presence.js';

const columns = `client_id AS "clientId", name, kind, is_writing AS "isWriting", seen_at AS "seenAt"`;

@Injectable()
export class PostgresPresenceBoard extends PresenceBoard {
  constructor(private readonly database: Database) {
    super();
  }

  /** Arrivals at one content take turns, so that two tabs never write at the same time. */
  arrive(arrival: Arrival, forMs: number): Promise<readonly Presence[]> {
    const { teamId, ref, clientId, name, kind, actor, writes } = arrival;
    const { api_key_id, actor_kind, actor_id } = actorColumns(actor);
    return this.database.run(async (transaction) => {
      const statements = statementsOf(transaction);
      await statements.query({ text: `SELECT pg_advisory_xact_lock(hashtextextended($1, 7))`, values: [ref.id] });
      await statements.execute({
        text: `DELETE FROM editor_presences WHERE team_id = $1 AND resource_id = $2 AND (until < now() OR client_id IN (
                 SELECT client_id FROM editor_presences WHERE team_id = $1 AND resource_id = $2 AND client_id <> $3 AND NOT is_writing
                 ORDER BY seen_at DESC OFFSET $4))`,
        values: [teamId, ref.id, clientId, maxPresences - 1],
      });
      if (writes === 'take') {
        // Its tab comes back with its next call, and then only reads. Live streams are told of the row that goes.
        await statements.execute({
          text: `DELETE FROM editor_presences WHERE team_id = $1 AND resource_id = $2 AND client_id <> $3 AND is_writing`,
          values: [teamId, ref.id, clientId],
        });
      }
      await statements.execute({
        text: `INSERT INTO editor_presences AS p (team_id, resource_type, resource_id, client_id, name, kind, is_writing, api_key_id,
                 actor_kind, actor_id, arrived_at, seen_at, until)
               SELECT $1, $2, $3, $4, $5, $6, $7::boolean AND NOT EXISTS (
                   SELECT FROM editor_presences WHERE team_id = $1 AND resource_id = $3 AND client_id <> $4 AND is_writing),
                 $8::uuid, $9, $10::uuid, now(), now(), now() + $11 * interval '1 ms'
               ON CONFLICT (team_id, resource_id, client_id) DO UPDATE SET name = excluded.name, seen_at = excluded.seen_at,
                 until = excluded.until, is_writing = excluded.is_writing`,
        values: [
          teamId,
          ref.type,
          ref.id,
          clientId,
          name,
          kind,
          writes !== 'never',
          api_key_id ?? null,
          actor_kind ?? null,
          actor_id ?? null,
          forMs,
        ],
      });
      return statements.query<Row<Presence>>({
        text: `SELECT ${columns} FROM editor_presences WHERE team_id = $1 AND resource_id = $2 ORDER BY arrived_at, client_id`,
        values: [teamId, ref.id],
      });
    });
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
