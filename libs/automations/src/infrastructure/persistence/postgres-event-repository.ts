import { TeamRepository } from '#identity';
import { GroupCommit, isUuid, Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, ProcessNotifications, Row, storableJson } from '#postgres/database';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { EventOccurrence, EventRepository } from '../../application/ports/event-repository.port.js';
import { automationsHaveWork } from '../../application/ports/run-queue.port.js';
import { EventDefinition, EventSchema } from '../../domain/event-definition.js';

const columns = `id, team_id AS "teamId", name, schema, created_at AS "createdAt", updated_at AS "updatedAt"`;
/** Events that wait longer than this for the database are refused, in ms. */
const patienceMs = 10_000;
/** Of the payloads of one statement. */
const maxBatch = 256;

@Injectable()
export class PostgresEventRepository extends EventRepository implements OnApplicationShutdown {
  private readonly writer = new GroupCommit<EventOccurrence, void>((events) => this.write(events), {
    maxBatch,
    concurrency: 2,
    gatherMs: 0,
    patienceMs,
    ownerOf: ({ teamId }) => teamId,
  });

  constructor(
    private readonly database: Database,
    private readonly teams: TeamRepository,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
  }

  /** One after the other in a team, so that the limit holds. */
  insert(definition: EventDefinition, max: number): Promise<'added' | 'taken' | 'full'> {
    const { id, teamId, name, schema, createdAt } = definition;
    return this.database.run(async (transaction) => {
      await this.teams.lock(teamId, transaction);
      const [counted] = await transaction.query<{ count: number; taken: boolean }>({
        text: `SELECT count(*)::int AS count, coalesce(bool_or(name = $2), false) AS taken FROM custom_events WHERE team_id = $1`,
        values: [teamId, name],
      });
      if (counted?.taken === true) return 'taken';
      if ((counted?.count ?? 0) >= max) return 'full';
      await transaction.execute({
        text: 'INSERT INTO custom_events (id, team_id, name, schema, created_at) VALUES ($1, $2, $3, $4, $5)',
        values: [id, teamId, name, schema === null ? null : storableJson(schema), createdAt],
      });
      return 'added';
    });
  }

  async find(teamId: string, idOrName: string): Promise<EventDefinition | undefined> {
    const rows = await this.database.query<Row<EventDefinition>>({
      text: `SELECT ${columns} FROM custom_events WHERE team_id = $1 AND (id = $2 OR name = $3 OR name = $4)
             ORDER BY (id = $2) IS TRUE DESC, name = $3 DESC LIMIT 1`,
      values: [
        teamId,
        isUuid(idOrName) ? idOrName : null,
        storableText(idOrName),
        storableText(idOrName.replaceAll('+', ' ')),
      ],
    });
    return rows[0];
  }

  async schemaOf(teamId: string, name: string): Promise<EventSchema | null | undefined> {
    const [row] = await this.database.query<{ schema: EventSchema | null }>({
      name: 'schema-of-event',
      text: 'SELECT schema FROM custom_events WHERE team_id = $1 AND name = $2',
      values: [teamId, name],
    });
    return row?.schema;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<EventDefinition>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<EventDefinition>>({
      text: `SELECT ${columns} FROM custom_events WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows);
  }

  async changeSchema(teamId: string, id: string, schema: EventSchema | null, now: Date): Promise<boolean> {
    const changed = await this.database.execute({
      text: 'UPDATE custom_events SET schema = $3, updated_at = $4 WHERE team_id = $1 AND id = $2',
      values: [teamId, id, schema === null ? null : storableJson(schema), now],
    });
    return changed > 0;
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    const removed = await this.database.execute({
      text: 'DELETE FROM custom_events WHERE team_id = $1 AND id = $2',
      values: [teamId, id],
    });
    return removed > 0;
  }

  send(occurrence: EventOccurrence): Promise<void> {
    return this.writer.submit(occurrence);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.writer.drain();
  }

  /** An event that was written by an attempt whose answer was lost is left as it is. */
  private async write(events: readonly EventOccurrence[]): Promise<readonly { readonly value: undefined }[]> {
    await this.database.run(async (transaction) => {
      const written = transaction.execute({
        name: 'send-custom-events',
        text: `INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, email, payload)
               SELECT id, team_id, event_name, contact_id, email, payload
               FROM json_to_recordset($1::json) AS o (id uuid, team_id uuid, event_name text, contact_id uuid, email text, payload jsonb)
               ON CONFLICT (id) DO NOTHING`,
        values: [
          storableJson(
            events.map(({ id, teamId, name, contactId, email, payload }) => ({
              id,
              team_id: teamId,
              event_name: name,
              contact_id: contactId,
              email,
              payload,
            })),
          ),
        ],
      });
      await Promise.all([written, this.notifications.send(automationsHaveWork, '', transaction)]);
    });
    return events.map(() => ({ value: undefined }));
  }
}

/** A path may contain anything. */
function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
