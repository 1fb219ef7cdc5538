import { Transaction } from '#kernel';
import {
  Database,
  lockRows,
  lockRowsOfTeams,
  placesOf,
  Row,
  statementsOf,
  storableJson,
  Turn,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { DateOfContact, DateQueue, DueDate, WatchedDate } from '../../application/ports/date-queue.port.js';
import { DateTrigger } from '../../domain/trigger.js';

/** Dates of triggers that are gone that one statement removes. */
const maxRemoved = 5_000;

/** A trigger as it is stored, with the zone of its automation. Another one is another trigger. */
export interface DateTriggerConfig extends DateTrigger {
  readonly timeZone: string | null;
}

const columns = `id, team_id AS "teamId", automation_id AS "automationId", config`;
type WatchedRow = Row<{ id: string; teamId: string; automationId: string; config: DateTriggerConfig }>;
type DueRow = Row<DateOfContact> & { readonly triggerId: string; readonly teamId: string };

@Injectable()
export class PostgresDateQueue extends DateQueue {
  private readonly dueTurn = new Turn({ table: 'automation_dates', isTimed: true });
  private readonly changedTurn = new Turn({ table: 'automation_changed_contacts' });

  constructor(private readonly database: Database) {
    super();
  }

  async unscanned(
    transaction: Transaction,
  ): Promise<{ readonly watched: WatchedDate; readonly after: string | undefined } | undefined> {
    const [row] = await statementsOf(transaction).query<WatchedRow & { after: string | null }>({
      name: 'unscanned-date-triggers',
      text: lockRows(
        `${columns}, scanned_to AS after`,
        'FROM automation_date_triggers WHERE NOT is_scanned AND NOT is_removed ORDER BY turn_at LIMIT 1',
      ),
    });
    return row === undefined ? undefined : { watched: watchedOf(row), after: row.after ?? undefined };
  }

  async scanned(triggerId: string, after: string | undefined, now: Date, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      name: 'scanned-date-trigger',
      text: 'UPDATE automation_date_triggers SET scanned_to = $2, is_scanned = $3, turn_at = $4 WHERE id = $1',
      values: [triggerId, after ?? null, after === undefined, now],
    });
  }

  async takeChanged(limit: number, transaction: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
    const statements = statementsOf(transaction);
    const teams = await this.changedTurn.next(limit, statements);
    if (teams.length === 0) return new Map();
    const rows = await statements.query<{ teamId: string; contactId: string }>({
      name: 'take-changed-contacts',
      text: `WITH taken AS MATERIALIZED (
               ${lockRowsOfTeams(
                 'id, team_id, contact_id',
                 'FROM automation_changed_contacts WHERE team_id = t.team_id ORDER BY id',
               )}
             ), removed AS (DELETE FROM automation_changed_contacts WHERE id IN (SELECT id FROM taken))
             SELECT DISTINCT team_id AS "teamId", contact_id AS "contactId" FROM taken ORDER BY 1, 2`,
      values: [teams, placesOf(teams, limit)],
    });
    const changed = new Map<string, string[]>();
    for (const { teamId, contactId } of rows) {
      const known = changed.get(teamId);
      if (known === undefined) changed.set(teamId, [contactId]);
      else known.push(contactId);
    }
    return changed;
  }

  async watchedOf(teamId: string, transaction: Transaction): Promise<readonly WatchedDate[]> {
    const rows = await statementsOf(transaction).query<WatchedRow>({
      name: 'date-triggers-of-team',
      text: `SELECT ${columns} FROM automation_date_triggers WHERE team_id = $1 AND NOT is_removed ORDER BY id FOR UPDATE`,
      values: [teamId],
    });
    return rows.map(watchedOf);
  }

  async datesOf(
    triggerId: string,
    contactIds: readonly string[],
    transaction: Transaction,
  ): Promise<readonly DateOfContact[]> {
    return statementsOf(transaction).query<Row<DateOfContact>>({
      name: 'dates-of-contacts',
      text: `SELECT contact_id AS "contactId", date::text, due_at AS "dueAt" FROM automation_dates
             WHERE trigger_id = $1 AND contact_id = ANY ($2::uuid[])`,
      values: [triggerId, contactIds],
    });
  }

  async write(
    { id, teamId }: WatchedDate,
    contactIds: readonly string[],
    dates: readonly DateOfContact[],
    transaction: Transaction,
  ): Promise<void> {
    const dated = new Set(dates.map(({ contactId }) => contactId));
    await Promise.all([
      statementsOf(transaction).execute({
        name: 'remove-dates-of-contacts',
        text: 'DELETE FROM automation_dates WHERE trigger_id = $1 AND contact_id = ANY ($2::uuid[])',
        values: [id, contactIds.filter((contactId) => !dated.has(contactId))],
      }),
      statementsOf(transaction).execute({
        name: 'write-dates-of-contacts',
        text: `INSERT INTO automation_dates AS d (trigger_id, contact_id, team_id, date, due_at)
               SELECT $1, contact_id, $2, date, due_at
               FROM json_to_recordset($3::json) AS n (contact_id uuid, date date, due_at timestamptz)
               ON CONFLICT (trigger_id, contact_id) DO UPDATE SET date = excluded.date, due_at = excluded.due_at
               WHERE (d.date, d.due_at) IS DISTINCT FROM (excluded.date, excluded.due_at)`,
        values: [
          id,
          teamId,
          storableJson(dates.map(({ contactId, date, dueAt }) => ({ contact_id: contactId, date, due_at: dueAt }))),
        ],
      }),
    ]);
  }

  async takeDue(now: Date, limit: number, transaction: Transaction): Promise<readonly DueDate[]> {
    const statements = statementsOf(transaction);
    const teams = await this.dueTurn.next(limit, statements, now);
    if (teams.length === 0) return [];
    const due = await statements.query<DueRow>({
      name: 'take-due-dates',
      text: `WITH due AS MATERIALIZED (
               ${lockRowsOfTeams(
                 'trigger_id, contact_id, team_id, date, due_at',
                 'FROM automation_dates WHERE team_id = t.team_id AND due_at <= $3 ORDER BY due_at',
               )}
             ), removed AS (
               DELETE FROM automation_dates d USING due WHERE d.trigger_id = due.trigger_id AND d.contact_id = due.contact_id
             ), again AS (
               INSERT INTO automation_changed_contacts (id, team_id, contact_id)
               SELECT automation_event_id(clock_timestamp(), row_number() OVER (ORDER BY due.contact_id)), due.team_id, due.contact_id
               FROM due JOIN automation_date_triggers t ON t.id = due.trigger_id
               WHERE NOT t.is_removed AND (t.config ->> 'everyYear')::boolean
             )
             SELECT trigger_id AS "triggerId", contact_id AS "contactId", team_id AS "teamId", date::text, due_at AS "dueAt"
             FROM due`,
      values: [teams, placesOf(teams, limit), now],
    });
    const watched = await statements.query<WatchedRow>({
      name: 'date-triggers-by-id',
      text: `SELECT ${columns} FROM automation_date_triggers WHERE id = ANY ($1::uuid[]) AND NOT is_removed`,
      values: [[...new Set(due.map(({ triggerId }) => triggerId))]],
    });
    const byId = new Map(watched.map((row) => [row.id, watchedOf(row)]));
    return due.flatMap(({ triggerId, ...date }): DueDate[] => {
      const found = byId.get(triggerId);
      return found === undefined ? [] : [{ ...date, watched: found }];
    });
  }

  async tidy(): Promise<boolean> {
    return this.database.run(async (transaction) => {
      const [gone] = await transaction.query<{ id: string }>({
        text: lockRows('id', 'FROM automation_date_triggers WHERE is_removed ORDER BY turn_at LIMIT 1'),
      });
      if (gone === undefined) return false;
      const removed = await transaction.execute({
        text: `DELETE FROM automation_dates WHERE trigger_id = $1 AND contact_id IN (
                 SELECT contact_id FROM automation_dates WHERE trigger_id = $1 LIMIT ${maxRemoved})`,
        values: [gone.id],
      });
      if (removed === maxRemoved) return true;
      await transaction.execute({ text: 'DELETE FROM automation_date_triggers WHERE id = $1', values: [gone.id] });
      return true;
    });
  }
}

function watchedOf({ id, teamId, automationId, config }: WatchedRow): WatchedDate {
  const { timeZone, ...trigger } = config;
  return { id, teamId, automationId, trigger, timeZone };
}
