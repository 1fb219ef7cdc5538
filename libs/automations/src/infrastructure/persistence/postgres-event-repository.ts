import { ShortCache } from '#platform/caching';
import {
  FairBudget,
  GroupCommit,
  isUuid,
  ItemResult,
  NotFoundError,
  Page,
  pageOf,
  PageRequest,
  storableText,
  Transaction,
} from '#kernel';
import {
  Database,
  keysetCondition,
  lockName,
  ProcessNotifications,
  Row,
  Statement,
  statementsOf,
  storableJson,
} from '#postgres/database';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { EventOccurrence, EventRepository } from '../../application/ports/event-repository.port.js';
import { automationsHaveWork } from '../../application/ports/event-queue.port.js';
import { EventDefinition, EventSchema } from '../../domain/event-definition.js';

const columns = `id, team_id AS "teamId", name, schema, created_at AS "createdAt", updated_at AS "updatedAt"`;
/** Name of the notification that schemas of a team changed. Its payload is the id of the team. */
const schemasChanged = 'custom_events';
/** Events that wait longer than this for the database are refused, in ms. */
const patienceMs = 10_000;
/** Events that are sent one by one and written together. */
const maxBatch = 256;
/** Batches that are written together: each may have 1 MB of payloads. */
const maxBatches = 8;
/** Schemas that are read at once, for all teams and for one: many events may be under way, each of another name. */
const schemaReads = { total: 6, maxPerOwner: 2 };

@Injectable()
export class PostgresEventRepository extends EventRepository implements OnApplicationShutdown {
  private readonly writer = new GroupCommit<EventOccurrence, void>((events) => this.write(events), {
    maxBatch,
    concurrency: 2,
    gatherMs: 0,
    patienceMs,
    ownerOf: ({ teamId }) => teamId,
  });
  private readonly batchWriter = new GroupCommit<readonly EventOccurrence[], number | undefined>(
    (batches) => this.writeBatches(batches),
    { maxBatch: maxBatches, concurrency: 1, gatherMs: 0, patienceMs, ownerOf: ([first]) => first?.teamId ?? '' },
  );

  /** By team and name: each event that is sent asks for its schema. */
  private readonly schemas = new ShortCache<{ readonly schema: EventSchema | null | undefined }>({
    ttlMs: 10_000,
    maxEntries: 5_000,
  });
  private readonly schemaReads = new FairBudget(schemaReads);

  constructor(
    private readonly database: Database,
    private readonly notifications: ProcessNotifications,
  ) {
    super();
    notifications.on(schemasChanged, () => this.schemas.forget());
  }

  /** One after the other in a team, so that the limit holds. */
  async insert(definition: EventDefinition, max: number): Promise<'added' | 'taken' | 'full'> {
    const { id, teamId, name, schema, createdAt } = definition;
    const result = await this.database.run(async (transaction) => {
      await lockName(`custom events ${teamId}`, transaction);
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
      await this.notifications.send(schemasChanged, teamId, transaction);
      return 'added';
    });
    this.schemas.forget();
    return result;
  }

  async find(teamId: string, idOrName: string, spaced: string): Promise<EventDefinition | undefined> {
    const rows = await this.database.query<Row<EventDefinition>>({
      text: `SELECT ${columns} FROM custom_events WHERE team_id = $1 AND (id = $2 OR name = $3 OR name = $4)
             ORDER BY (id = $2) IS TRUE DESC, name = $3 DESC LIMIT 1`,
      values: [teamId, isUuid(idOrName) ? idOrName : null, storableText(idOrName), storableText(spaced)],
    });
    return rows[0];
  }

  async schemaOf(teamId: string, name: string, isUrgent = false): Promise<EventSchema | null | undefined> {
    const read = async (): Promise<{ readonly schema: EventSchema | null | undefined }> => {
      const [row] = await this.database.query<{ schema: EventSchema | null }>({
        name: 'schema-of-event',
        text: 'SELECT schema FROM custom_events WHERE team_id = $1 AND name = $2',
        values: [teamId, name],
      });
      return { schema: row?.schema };
    };
    const load = isUrgent ? read : () => this.schemaReads.during([teamId], 1, read);
    return (await this.schemas.get(`${teamId} ${name}`, load))?.schema;
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
    return this.changed(teamId, {
      text: 'UPDATE custom_events SET schema = $3, updated_at = $4 WHERE team_id = $1 AND id = $2',
      values: [teamId, id, schema === null ? null : storableJson(schema), now],
    });
  }

  async remove(teamId: string, id: string): Promise<boolean> {
    return this.changed(teamId, {
      text: 'DELETE FROM custom_events WHERE team_id = $1 AND id = $2',
      values: [teamId, id],
    });
  }

  send(occurrence: EventOccurrence): Promise<void> {
    return this.writer.submit(occurrence);
  }

  sendBatch(occurrences: readonly EventOccurrence[]): Promise<number | undefined> {
    return this.batchWriter.submit(occurrences);
  }

  /** An event that was written by an attempt whose answer was lost is left as it is. */
  async sendIn(events: readonly EventOccurrence[], transaction: Transaction): Promise<void> {
    if (events.length === 0) return;
    const written = statementsOf(transaction).execute({
      name: 'send-custom-events',
      text: `INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, email, payload, depth, subject_id, origin_id,
                                                   is_answer)
             SELECT id, team_id, event_name, contact_id, email, payload, depth, subject_id, origin_id, is_answer
             FROM json_to_recordset($1::json) AS o (id uuid, team_id uuid, event_name text, contact_id uuid, email text, payload jsonb,
                                                    depth smallint, subject_id uuid, origin_id uuid, is_answer boolean)
             ON CONFLICT (id) DO NOTHING`,
      values: [
        storableJson(
          events.map(
            ({ id, teamId, name, contactId, email, payload, depth, subjectId, originId, isAnswer = false }) => ({
              id,
              team_id: teamId,
              event_name: name,
              contact_id: contactId,
              email,
              payload,
              depth,
              subject_id: subjectId,
              origin_id: originId,
              is_answer: isAnswer,
            }),
          ),
        ),
      ],
    });
    await Promise.all([written, this.notifications.send(automationsHaveWork, '', transaction)]);
  }

  async causeAt(depth: number, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'depth-of-automations',
      text: `SELECT set_config('postrider.automation_depth', $1, true)`,
      values: [String(depth)],
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.writer.drain(), this.batchWriter.drain()]);
  }

  /** Returns whether there was such an event. All processes forget its schema. */
  private async changed(teamId: string, statement: Statement): Promise<boolean> {
    const count = await this.database.run(async (transaction) => {
      const [changed] = await Promise.all([
        transaction.execute(statement),
        this.notifications.send(schemasChanged, teamId, transaction),
      ]);
      return changed;
    });
    this.schemas.forget();
    return count > 0;
  }

  private writeBatches(
    batches: readonly (readonly EventOccurrence[])[],
  ): Promise<readonly ItemResult<number | undefined>[]> {
    return this.database.runPipelined(async (transaction) => {
      const strangers = await strangersAmong(batches.flat(), transaction);
      const positions = batches.map((batch) => batch.findIndex((event) => strangers.has(event)));
      return {
        send: async () => {
          await this.sendIn(batches.filter((_, no) => positions[no] === -1).flat(), transaction);
          return positions.map((position) => ({ value: position === -1 ? undefined : position }));
        },
      };
    });
  }

  private write(events: readonly EventOccurrence[]): Promise<readonly ItemResult<void>[]> {
    return this.database.runPipelined(async (transaction) => {
      const strangers = await strangersAmong(events, transaction);
      return {
        send: async () => {
          await this.sendIn(
            events.filter((event) => !strangers.has(event)),
            transaction,
          );
          return events.map((event) =>
            strangers.has(event) ? { error: new NotFoundError('Contact') } : { value: undefined },
          );
        },
      };
    });
  }
}

/** The events of contacts that their team does not have. */
async function strangersAmong(
  events: readonly EventOccurrence[],
  transaction: Transaction,
): Promise<ReadonlySet<EventOccurrence>> {
  const named = events.filter(({ contactId }) => contactId !== null);
  if (named.length === 0) return new Set();
  const rows = await statementsOf(transaction).query<{ no: number }>({
    name: 'contacts-of-sent-events',
    text: `SELECT e.no::int AS no FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS e (team_id, contact_id, no)
           WHERE NOT EXISTS (SELECT FROM published_contacts c WHERE c.id = e.contact_id AND c.team_id = e.team_id)`,
    values: [named.map(({ teamId }) => teamId), named.map(({ contactId }) => contactId)],
  });
  return new Set(rows.map(({ no }) => named[no - 1] as EventOccurrence));
}
