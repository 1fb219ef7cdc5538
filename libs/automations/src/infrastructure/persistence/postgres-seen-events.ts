import { newId, Page, pageOf, PageRequest, storableText } from '#kernel';
import { Database, keysetCondition, Row, storableJson } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  EventListener,
  LastPayload,
  maxLastPayloads,
  maxSeenNames,
  NotedEvent,
  SeenEvent,
  SeenEventRepository,
} from '../../application/ports/seen-event-repository.port.js';

const columns = 'id, name, count::float8 AS count, last_seen_at AS "lastSeenAt"';

@Injectable()
export class PostgresSeenEvents extends SeenEventRepository {
  constructor(private readonly database: Database) {
    super();
  }

  /** In one order, so that two processes never wait for each other. */
  async write(events: readonly NotedEvent[], now: Date): Promise<void> {
    await this.database.run(async (transaction) => {
      await transaction.execute({
        name: 'write-seen-events',
        text: `INSERT INTO custom_event_names AS n (team_id, name, id, count, last_seen_at)
               SELECT team_id, name, id, count, last_seen_at
               FROM json_to_recordset($1::json) AS s (team_id uuid, name text, id uuid, count integer, last_seen_at timestamptz)
               ORDER BY team_id, name
               ON CONFLICT (team_id, name) DO UPDATE
               SET count = n.count + excluded.count, last_seen_at = greatest(n.last_seen_at, excluded.last_seen_at)`,
        values: [
          storableJson(
            events.map(({ teamId, name, count, lastSeenAt }) => ({
              team_id: teamId,
              name,
              id: newId(now.getTime()),
              count,
              last_seen_at: lastSeenAt,
            })),
          ),
        ],
      });
      await transaction.execute({
        name: 'write-last-payloads',
        text: `INSERT INTO custom_event_payloads (id, team_id, name, contact_email, payload, created_at)
               SELECT id, team_id, name, contact_email, payload, created_at
               FROM json_to_recordset($1::json)
                 AS p (id uuid, team_id uuid, name text, contact_email text, payload jsonb, created_at timestamptz)
               ON CONFLICT (id) DO NOTHING`,
        values: [
          storableJson(
            events.flatMap(({ teamId, name, payloads }) =>
              payloads.map(({ id, contactEmail, payload, createdAt }) => ({
                id,
                team_id: teamId,
                name,
                contact_email: contactEmail,
                payload,
                created_at: createdAt,
              })),
            ),
          ),
        ],
      });
      // What another process removes at the same moment is left to it.
      await transaction.execute({
        name: 'remove-earlier-payloads',
        text: `DELETE FROM custom_event_payloads WHERE id IN (
                 SELECT e.id FROM json_to_recordset($1::json) AS s (team_id uuid, name text) CROSS JOIN LATERAL (
                   SELECT id FROM (
                     SELECT id FROM custom_event_payloads WHERE team_id = s.team_id AND name = s.name
                     ORDER BY id DESC OFFSET ${maxLastPayloads}
                   ) o ORDER BY id
                 ) e)`,
        values: [storableJson(events.map(({ teamId, name }) => ({ team_id: teamId, name })))],
      });
      await transaction.execute({
        name: 'remove-earlier-names',
        text: `WITH gone AS (
                 DELETE FROM custom_event_names n USING (
                   SELECT e.team_id, e.name FROM unnest($1::uuid[]) AS t (team_id) CROSS JOIN LATERAL (
                     SELECT team_id, name FROM custom_event_names WHERE team_id = t.team_id
                     ORDER BY id DESC OFFSET ${maxSeenNames}
                   ) e
                 ) o WHERE n.team_id = o.team_id AND n.name = o.name RETURNING n.team_id, n.name
               )
               DELETE FROM custom_event_payloads p USING gone WHERE p.team_id = gone.team_id AND p.name = gone.name`,
        values: [[...new Set(events.map(({ teamId }) => teamId))].sort()],
      });
    });
  }

  async undefined(teamId: string, page: PageRequest): Promise<Page<SeenEvent>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<SeenEvent>>({
      text: `SELECT ${columns} FROM custom_event_names n
             WHERE team_id = $1 AND NOT EXISTS (SELECT FROM custom_events d WHERE d.team_id = n.team_id AND d.name = n.name)
             ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  async find(teamId: string, name: string): Promise<SeenEvent | undefined> {
    const [row] = await this.database.query<Row<SeenEvent>>({
      text: `SELECT ${columns} FROM custom_event_names WHERE team_id = $1 AND name = $2`,
      values: [teamId, storableText(name)],
    });
    return row;
  }

  async payloads(teamId: string, name: string): Promise<readonly LastPayload[]> {
    return this.database.query<Row<LastPayload>>({
      text: `SELECT payload, created_at AS "createdAt" FROM custom_event_payloads WHERE team_id = $1 AND name = $2
             ORDER BY id DESC LIMIT ${maxLastPayloads}`,
      values: [teamId, name],
    });
  }

  async listeners(
    teamId: string,
    names: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly EventListener[]>> {
    const rows = await this.database.query<Row<EventListener & { eventName: string }>>({
      text: `SELECT u.event_name AS "eventName", u.automation_id AS "automationId", a.name, a.status, u.step_key AS "stepKey",
                    u.step_type AS "stepType"
             FROM unnest($2::text[]) AS e (name) CROSS JOIN LATERAL (
               SELECT * FROM automation_uses WHERE team_id = $1 AND event_name = e.name
               ORDER BY automation_id DESC, step_key LIMIT $3
             ) u JOIN automations a ON a.id = u.automation_id AND NOT a.is_deleted`,
      values: [teamId, names, limit],
    });
    const byName = new Map<string, EventListener[]>();
    for (const { eventName, ...listener } of rows) {
      byName.set(eventName, [...(byName.get(eventName) ?? []), listener]);
    }
    return byName;
  }
}
